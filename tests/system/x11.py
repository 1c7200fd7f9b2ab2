# SPDX-License-Identifier: MIT
"""What xdotool cannot do with a window."""
import ctypes


def close_window(window, display_name):
    """As the button of a window manager does: WM_DELETE_WINDOW."""
    x11 = ctypes.CDLL("libX11.so.6")
    x11.XOpenDisplay.restype = ctypes.c_void_p
    x11.XInternAtom.restype = ctypes.c_ulong
    display = ctypes.c_void_p(x11.XOpenDisplay(display_name.encode()))
    protocols, delete = (x11.XInternAtom(display, name, 0) for name in (b"WM_PROTOCOLS", b"WM_DELETE_WINDOW"))
    event = (ctypes.c_long * 24)(33, 0, 0, 0, window, protocols, 32, delete)  # XClientMessageEvent, with longs as its data
    x11.XSendEvent(display, ctypes.c_ulong(window), 0, ctypes.c_long(0), event)
    x11.XCloseDisplay(display)
