import { Book } from "./price";

function check(): void {
  new Book("a", 1).label();
}

check();
