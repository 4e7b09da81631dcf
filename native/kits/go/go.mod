module ffibench

go 1.19
