package peer

import "golang.org/x/sys/windows"

// errNobody is what a socket says that nobody listens at.
const errNobody = windows.WSAECONNREFUSED
