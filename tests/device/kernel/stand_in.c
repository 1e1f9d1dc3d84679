/* A stand-in for the kernel, to be loaded before a program (LD_PRELOAD): /dev/gpiochip0 with the character device ABI
 * v2 of linux/gpio.h, and /dev/input/event90 with the event ABI of linux/input.h. The pin library, gpiozero and our own
 * code run unchanged on it. A test drives it through the functions at the end, whose names begin with stand_in_. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/gpio.h>
#include <linux/input.h>
#include <pthread.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#define LINES 54
#define CHIPS 8
#define KEYS 16
#define CHIP_PATH "/dev/gpiochip0"
#define KEYBOARD_PATH "/dev/input/event90"
#define REVISION_PATH "/proc/device-tree/system/linux,revision"

struct line {
    int program_fd, kernel_fd; /* two ends of a socket pair; -1 when nobody has asked for the line */
    int level, outside;        /* what it shows; what a test pulls it to (-1: nothing, the pull decides) */
    __u64 flags;
    __u32 attributes, sequence;
};

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static struct line lines[LINES];
static int chips[CHIPS], chip_count;
static struct {
    int program_fd, kernel_fd, clock, grabbed;
    unsigned char down[KEY_CNT / 8];
} keyboard = {-1, -1, CLOCK_REALTIME, 0, {0}};

__attribute__((constructor)) static void begin(void)
{
    for (int i = 0; i < LINES; i++) {
        lines[i].program_fd = lines[i].kernel_fd = lines[i].outside = -1;
        lines[i].flags = GPIO_V2_LINE_FLAG_INPUT;
    }
}

static int real_close(int fd)
{
    static int (*real)(int);
    if (!real)
        real = (int (*)(int))dlsym(RTLD_NEXT, "close");
    return real(fd);
}

static int pair(int *program_fd, int *kernel_fd)
{
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
        return -1;
    *program_fd = ends[0];
    *kernel_fd = ends[1];
    return 0;
}

static int stood_in(const char *path, int *fd)
{
    if (!path)
        return 0;
    pthread_mutex_lock(&guard);
    int ours = 1;
    if (!strcmp(path, CHIP_PATH) && chip_count < CHIPS) {
        *fd = chips[chip_count++] = memfd_create("gpiochip0", MFD_CLOEXEC);
    } else if (!strcmp(path, REVISION_PATH)) {
        static const unsigned char pi_4b[4] = {0x00, 0xc0, 0x31, 0x15}; /* big-endian, as in a device tree */
        *fd = memfd_create("revision", MFD_CLOEXEC);
        if (write(*fd, pi_4b, sizeof pi_4b) != sizeof pi_4b || lseek(*fd, 0, SEEK_SET))
            *fd = -1;
    } else if (!strcmp(path, KEYBOARD_PATH)) {
        if (keyboard.kernel_fd >= 0)
            real_close(keyboard.kernel_fd);
        keyboard.clock = CLOCK_REALTIME;
        *fd = pair(&keyboard.program_fd, &keyboard.kernel_fd) ? -1 : keyboard.program_fd;
    } else {
        ours = 0;
    }
    pthread_mutex_unlock(&guard);
    return ours;
}

static int ours_or_real(const char *name, const char *path, int flags, mode_t mode)
{
    int fd;
    if (stood_in(path, &fd))
        return fd;
    return ((int (*)(const char *, int, ...))dlsym(RTLD_NEXT, name))(path, flags, mode);
}

#define OPEN_AS(name)                                                                                                  \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        va_list more;                                                                                                  \
        va_start(more, flags);                                                                                         \
        mode_t mode = (flags & (O_CREAT | O_TMPFILE)) ? va_arg(more, mode_t) : 0;                                      \
        va_end(more);                                                                                                  \
        return ours_or_real(#name, path, flags, mode);                                                                 \
    }
OPEN_AS(open)
OPEN_AS(open64)

int close(int fd)
{
    pthread_mutex_lock(&guard);
    for (int i = 0; i < LINES; i++)
        if (fd >= 0 && lines[i].program_fd == fd) {
            real_close(lines[i].kernel_fd);
            lines[i].program_fd = lines[i].kernel_fd = -1;
        }
    for (int i = 0; i < chip_count; i++)
        if (chips[i] == fd)
            chips[i] = chips[--chip_count];
    if (fd >= 0 && keyboard.program_fd == fd) {
        real_close(keyboard.kernel_fd);
        keyboard.program_fd = keyboard.kernel_fd = -1;
    }
    pthread_mutex_unlock(&guard);
    return real_close(fd);
}

static void settle(struct line *l)
{
    if (l->flags & GPIO_V2_LINE_FLAG_OUTPUT)
        return;
    if (l->outside >= 0)
        l->level = l->outside;
    else if (l->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_UP)
        l->level = 1;
    else if (l->flags & GPIO_V2_LINE_FLAG_BIAS_PULL_DOWN)
        l->level = 0;
}

static int ask_for_line(struct gpio_v2_line_request *wanted)
{
    if (wanted->num_lines != 1 || wanted->offsets[0] >= LINES) {
        errno = EINVAL;
        return -1;
    }
    struct line *l = &lines[wanted->offsets[0]];
    if (l->kernel_fd >= 0) { /* the program closed its end of the last one: the kernel sees that at once */
        real_close(l->kernel_fd);
        l->kernel_fd = l->program_fd = -1;
    }
    if (pair(&l->program_fd, &l->kernel_fd))
        return -1;
    wanted->fd = l->program_fd;
    l->flags = wanted->config.flags;
    l->attributes = wanted->config.num_attrs;
    if (l->flags & GPIO_V2_LINE_FLAG_OUTPUT) {
        l->level = 0;
        for (__u32 i = 0; i < wanted->config.num_attrs; i++)
            if (wanted->config.attrs[i].attr.id == GPIO_V2_LINE_ATTR_ID_OUTPUT_VALUES)
                l->level = wanted->config.attrs[i].attr.values & 1;
    }
    settle(l);
    return 0;
}

static int of_chip(unsigned long request, void *argument)
{
    if (request == GPIO_GET_CHIPINFO_IOCTL) {
        struct gpiochip_info *info = argument;
        memset(info, 0, sizeof *info);
        strcpy(info->name, "gpiochip0");
        strcpy(info->label, "stand-in");
        info->lines = LINES;
        return 0;
    }
    if (request == GPIO_V2_GET_LINEINFO_IOCTL) {
        struct gpio_v2_line_info *info = argument;
        __u32 offset = info->offset;
        if (offset >= LINES)
            return -1;
        memset(info, 0, sizeof *info);
        info->offset = offset;
        info->flags = lines[offset].flags;
        return 0;
    }
    return request == GPIO_V2_GET_LINE_IOCTL ? ask_for_line(argument) : -2;
}

static int of_line(struct line *l, unsigned long request, void *argument)
{
    struct gpio_v2_line_values *values = argument;
    if (request == GPIO_V2_LINE_GET_VALUES_IOCTL) {
        values->bits = (__u64)l->level;
        return 0;
    }
    if (request == GPIO_V2_LINE_SET_VALUES_IOCTL) {
        if (!(l->flags & GPIO_V2_LINE_FLAG_OUTPUT)) {
            errno = EPERM;
            return -1;
        }
        l->level = values->bits & 1;
        return 0;
    }
    return -2;
}

static int of_keyboard(unsigned long request, void *argument)
{
    size_t size = _IOC_SIZE(request);
    switch (_IOC_NR(request)) {
    case _IOC_NR(EVIOCGNAME(0)):
        strncpy(argument, "Stand-in encoder", size);
        return (int)strlen("Stand-in encoder") + 1;
    case _IOC_NR(EVIOCGKEY(0)):
        memcpy(argument, keyboard.down, size < sizeof keyboard.down ? size : sizeof keyboard.down);
        return (int)size;
    case _IOC_NR(EVIOCSCLOCKID):
        keyboard.clock = *(int *)argument;
        return 0;
    case _IOC_NR(EVIOCGRAB):
        keyboard.grabbed = argument != NULL;
        return 0;
    default:
        errno = EINVAL;
        return -1;
    }
}

int ioctl(int fd, unsigned long request, ...)
{
    static int (*real)(int, unsigned long, ...);
    va_list more;
    va_start(more, request);
    void *argument = va_arg(more, void *);
    va_end(more);
    if (!real)
        real = (int (*)(int, unsigned long, ...))dlsym(RTLD_NEXT, "ioctl");
    int answer = -2;
    pthread_mutex_lock(&guard);
    for (int i = 0; i < chip_count && answer == -2; i++)
        if (chips[i] == fd)
            answer = of_chip(request, argument);
    for (int i = 0; i < LINES && answer == -2; i++)
        if (lines[i].program_fd == fd)
            answer = of_line(&lines[i], request, argument);
    if (answer == -2 && fd == keyboard.program_fd && _IOC_TYPE(request) == 'E')
        answer = of_keyboard(request, argument);
    pthread_mutex_unlock(&guard);
    return answer == -2 ? real(fd, request, argument) : answer;
}

/* An edge of a line: 0 when it was handed on, 1 when nobody listens for such an edge, -1 for no such line. */
int stand_in_edge(unsigned offset, int level, unsigned long long at_ns)
{
    if (offset >= LINES)
        return -1;
    pthread_mutex_lock(&guard);
    struct line *l = &lines[offset];
    struct gpio_v2_line_event event;
    memset(&event, 0, sizeof event);
    event.timestamp_ns = at_ns;
    event.id = level ? GPIO_V2_LINE_EVENT_RISING_EDGE : GPIO_V2_LINE_EVENT_FALLING_EDGE;
    event.offset = offset;
    event.seqno = event.line_seqno = ++l->sequence;
    l->outside = l->level = !!level;
    __u64 wanted = level ? GPIO_V2_LINE_FLAG_EDGE_RISING : GPIO_V2_LINE_FLAG_EDGE_FALLING;
    int result = 1;
    if (l->kernel_fd >= 0 && (l->flags & wanted))
        result = send(l->kernel_fd, &event, sizeof event, MSG_NOSIGNAL) == sizeof event ? 0 : 1;
    pthread_mutex_unlock(&guard);
    return result;
}

/* What a line shows; -1 when the program does not drive or read it. */
int stand_in_level(unsigned offset)
{
    return offset < LINES && lines[offset].kernel_fd >= 0 ? lines[offset].level : -1;
}

unsigned long long stand_in_flags(unsigned offset)
{
    return offset < LINES ? lines[offset].flags : 0;
}

unsigned stand_in_attributes(unsigned offset)
{
    return offset < LINES ? lines[offset].attributes : 0;
}

/* A key goes down (1), up (0) or repeats (2); stamped only for a program that asked for the monotonic clock. */
int stand_in_key(unsigned code, int value, unsigned long long at_ns)
{
    pthread_mutex_lock(&guard);
    struct input_event events[2];
    memset(events, 0, sizeof events);
    unsigned long long stamp_ns = keyboard.clock == CLOCK_MONOTONIC ? at_ns : at_ns + 1700000000000000000ULL;
    for (int i = 0; i < 2; i++) {
        events[i].input_event_sec = (long)(stamp_ns / 1000000000ULL);
        events[i].input_event_usec = (long)(stamp_ns % 1000000000ULL / 1000ULL);
    }
    events[0].type = EV_KEY;
    events[0].code = (__u16)code;
    events[0].value = value;
    events[1].type = EV_SYN;
    if (value)
        keyboard.down[code / 8] |= (unsigned char)(1u << code % 8);
    else
        keyboard.down[code / 8] &= (unsigned char)~(1u << code % 8);
    int result = keyboard.kernel_fd < 0 ? -1 : send(keyboard.kernel_fd, events, sizeof events, MSG_NOSIGNAL) < 0;
    pthread_mutex_unlock(&guard);
    return result;
}

int stand_in_grabbed(void)
{
    return keyboard.grabbed;
}

void stand_in_unplug(void)
{
    pthread_mutex_lock(&guard);
    if (keyboard.kernel_fd >= 0)
        real_close(keyboard.kernel_fd);
    keyboard.kernel_fd = keyboard.program_fd = -1;
    pthread_mutex_unlock(&guard);
}
