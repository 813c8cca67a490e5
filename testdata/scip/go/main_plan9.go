package main

func init() { onlyElsewhere() }
