"""Prices."""

from abc import ABC, abstractmethod
from functools import wraps


def logged(function):
    @wraps(function)
    def wrapper(*args):
        return function(*args)

    return wrapper


class Article(ABC):
    def __init__(self, name):
        self.name = name

    @abstractmethod
    def price(self):
        """The price in euros."""

    def label(self):
        return f"{self.name}: {show(self.price())}"

    def __repr__(self):
        return self.label()


class Book(Article):
    def __init__(self, name, pages):
        super().__init__(name)
        self.pages = pages

    def price(self):
        return self.pages * _rate(self.pages)

    @property
    def worn(self):
        return self.pages > 1000


def show(amount):
    return "€ " + format(amount, ".2f")


def _rate(pages):
    return 0.05 if pages > 100 else 0.1


def _unused():
    pass
