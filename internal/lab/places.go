package lab

// What a program sees.
const (
	home    = "/home/dev"
	project = home + "/project" // where every session worked
	address = "127.0.0.1:8123"  // of the model
	origin  = "http://" + address
)
