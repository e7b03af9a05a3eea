module example.org/notes-to-self

go 1.26.0

require recollect v0.0.0

replace recollect => ../..
