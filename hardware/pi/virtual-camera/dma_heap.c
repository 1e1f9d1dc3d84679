/* For trying out only: stands in for /dev/dma_heap/linux,cma where the kernel has none, with plain memory files, so
 * that libcamera's virtual pipeline gets buffers. They could never be given to a real camera.
 * Use: LD_PRELOAD=./dma_heap.so program */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

/* struct dma_heap_allocation_data and DMA_HEAP_IOCTL_ALLOC of linux/dma-heap.h */
struct heap_allocation {
    uint64_t length;
    uint32_t fd, fd_flags;
    uint64_t heap_flags;
};
#define HEAP_ALLOCATE _IOWR('H', 0x0, struct heap_allocation)
#define DMA_BUF_MAGIC 'b' /* of linux/dma-buf.h: begin and end of an access, which memory files do not need */

static int heap_or_file(const char *name, const char *path, int flags, mode_t mode)
{
    if (path && !strcmp(path, "/dev/dma_heap/linux,cma"))
        return memfd_create("dma-heap", MFD_CLOEXEC);
    int (*real)(const char *, int, ...) = (int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name);
    return real(path, flags, mode);
}

#define OPEN_AS(name)                                                                                                  \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;                                      \
        va_end(more);                                                                                                  \
        return heap_or_file(#name, path, flags, mode);                                                                 \
    }
OPEN_AS(open)
OPEN_AS(open64)

int ioctl(int fd, unsigned long request, ...)
{
    static int (*real)(int, unsigned long, ...);
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (!real)
        real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    if (request == HEAP_ALLOCATE) {
        struct heap_allocation *wanted = argument;
        int buffer = memfd_create("dma-buf", MFD_CLOEXEC);
        if (buffer < 0 || ftruncate(buffer, (off_t)wanted->length) < 0)
            return -1;
        wanted->fd = (uint32_t)buffer;
        return 0;
    }
    int result = real(fd, request, argument);
    return result < 0 && errno == ENOTTY && _IOC_TYPE(request) == DMA_BUF_MAGIC ? 0 : result;
}
