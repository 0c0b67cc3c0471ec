import { useState } from 'react'
import { listDocuments, type DocumentSummary } from '#contract/console/website/documents.ts'
import { SearchField } from '../forms/search-field.tsx'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { DropZone } from '../ui/drop-zone.tsx'
import { UploadList } from '../ui/upload-list.tsx'
import { useUploads } from '../ui/use-uploads.ts'
import { formatBytes, uploadDocument } from './upload-document.ts'

type ChosenDocument = Pick<DocumentSummary, 'title' | 'address'>

/** Chooses a document, or uploads one. The newest come first. */
export function DocumentLibrary({ onChosen }: { onChosen(document: ChosenDocument): void }) {
  const [query, setQuery] = useState('')
  const found = useLoaded(listDocuments, { query: { q: query || undefined, sort: 'changed' } })
  const uploads = useUploads(async (file) => onChosen(await uploadDocument(file)))
  return (
    <>
      <SearchField label="Search documents" onSearch={setQuery} />
      <WhenLoaded loaded={found} what="documents">
        {({ documents }) => (
          <ul className="document-choices">
            {documents.length === 0 && <li>{query === '' ? 'No documents yet.' : 'No documents match.'}</li>}
            {documents.map((document) => (
              <li key={document.id}>
                <button type="button" onClick={() => onChosen(document)}>
                  <strong>{document.title}</strong>
                  <span className="small soft">{`${document.address} · ${formatBytes(document.bytes)}`}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </WhenLoaded>
      <DropZone
        accept="application/pdf,.pdf"
        what="a PDF document"
        hint="Up to 20 MB."
        isSingle
        onFiles={uploads.add}
      />
      <UploadList uploads={uploads} />
    </>
  )
}
