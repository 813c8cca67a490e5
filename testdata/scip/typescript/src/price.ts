export interface Priced {
  price(): number;
}

export abstract class Article implements Priced {
  constructor(readonly name: string) {}
  abstract price(): number;
  label(): string {
    return `${this.name}: ${format(this.price())}`;
  }
}

export class Book extends Article {
  constructor(name: string, private pages: number) {
    super(name);
  }
  price(): number {
    return rate(this.pages) * this.pages;
  }
  toJSON(): object {
    return { name: this.name };
  }
  private worn(): boolean {
    return this.pages > 1000;
  }
}

export function format(amount: number): string {
  return "€ " + amount.toFixed(2);
}

function rate(pages: number): number {
  return pages > 100 ? 0.05 : 0.1;
}

function unused(): void {}

export const double = (n: number): number => scale(n, 2);

const scale = function (n: number, by: number): number {
  return n * by;
};
