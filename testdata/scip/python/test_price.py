from shop.price import Book


def test_label():
    assert Book("a", 1).label()


def helper():
    pass
