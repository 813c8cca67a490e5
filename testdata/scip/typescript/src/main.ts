import { Book, double, format, Priced } from "./price";

function logged(target: object, key: string): void {}

export class Cart {
  private items: Priced[] = [];
  private onChange?: () => void;

  @logged
  checkout(): string {
    return format(total(this.items));
  }

  add(item: Priced): void {
    this.items.push(item);
    this.onChange?.();
  }
}

function total(items: Priced[]): number {
  return items.map(priceOf).reduce((a, b) => a + b, 0);
}

function priceOf(item: Priced): number {
  return item?.price?.();
}

function first<T>(list: T[]): T {
  return list[0];
}

/* "ä𝄞" */ export const start = first<number>([double(2)]);

export function main(): void {
  const cart = new Cart();
  cart.add(new Book("Ä𝄞", 300)); cart.checkout();
}

main();
