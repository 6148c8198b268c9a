"""What plugins need of each other and of Python: the order in which they load, and why some cannot."""
