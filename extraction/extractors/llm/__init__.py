"""The extractor that asks a language model."""

from extraction.extractors.llm.extractor import LlmExtractor

__all__ = ["LlmExtractor"]
