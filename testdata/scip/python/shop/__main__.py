from shop import price
from shop.price import Book, logged, show


@logged
def total(articles):
    return sum(map(_price_of, articles))


def _price_of(article):
    return article.price()


def main():
    books = [Book("Ä𝄞", 300)]; print(show(total(books)), books[0].label())
    print(price.show(1))


if __name__ == "__main__":
    main()
