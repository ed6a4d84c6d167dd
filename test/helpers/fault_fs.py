"""A folder shown through FUSE, with errors and hangs by order. Arguments: source, mount point, file of orders.

The orders are JSON: {"errno": 5, "operations": ["open", "read"], "only": "a.avi"}; errno 0 hangs until they change.
"""
import errno
import json
import os
import sys
import time

try:
    from fuse import FUSE, FuseOSError, Operations
except ImportError:
    from fusepy import FUSE, FuseOSError, Operations

LOOK_SECONDS = 0.05


class Faulty(Operations):
    def __init__(self, source, orders):
        self.source = source
        self.orders = orders

    def _order(self, operation, path):
        try:
            with open(self.orders) as file:
                order = json.load(file)
        except (OSError, ValueError):
            return None
        fits = operation in order.get("operations", []) and order.get("only", "") in path
        return order if fits else None

    def _pass(self, operation, path):
        order = self._order(operation, path)
        while order is not None and order["errno"] == 0:
            time.sleep(LOOK_SECONDS)
            order = self._order(operation, path)
        if order is not None:
            raise FuseOSError(order["errno"])
        return self.source + path

    def _real(self, call, *arguments):
        try:
            return call(*arguments)
        except OSError as error:
            raise FuseOSError(error.errno or errno.EIO)

    def getattr(self, path, fh=None):
        stat = self._real(os.lstat, self._pass("stat", path))
        keys = ("st_atime", "st_ctime", "st_gid", "st_mode", "st_mtime", "st_nlink", "st_size", "st_uid", "st_ino")
        return {key: getattr(stat, key) for key in keys}

    def readdir(self, path, fh):
        return [".", ".."] + self._real(os.listdir, self._pass("list", path))

    def open(self, path, flags):
        return self._real(os.open, self._pass("open", path), flags)

    def read(self, path, size, offset, fh):
        self._pass("read", path)
        return self._real(os.pread, fh, size, offset)

    def release(self, path, fh):
        os.close(fh)

    def readlink(self, path):
        return self._real(os.readlink, self.source + path)


if __name__ == "__main__":
    source, mount, orders = sys.argv[1:4]
    FUSE(Faulty(os.path.realpath(source), orders), mount, foreground=True, nothreads=False, attr_timeout=0, entry_timeout=0, ro=True)
