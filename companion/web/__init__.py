"""The dashboard: what people see and press in a browser, served from the table without any other network."""
