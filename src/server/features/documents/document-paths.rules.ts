/** The path below which documents are served. */
export const DOCUMENTS_PATH = '/documents/'
/** Where the files are in the media store, apart from the pictures. */
export const DOCUMENT_STORE = { bucket: 'home', folder: 'documents' } as const
