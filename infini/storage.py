"""How static files are found."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):
    """Hashed and compressed names. A file that was not collected keeps its plain name: the page still comes, even the
    page that tells of an error.
    """

    manifest_strict = False
