import { useNavigate } from 'react-router'
import { listDocuments, type DocumentSummary } from '#contract/console/website/documents.ts'
import { formatMoment } from '#contract/dates/dates.ts'
import { DataTable, type Column } from '../list/data-table.tsx'
import { ListPager } from '../list/list-pager.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { DropZone } from '../ui/drop-zone.tsx'
import { Empty } from '../ui/empty.tsx'
import { UploadList } from '../ui/upload-list.tsx'
import { useUploads } from '../ui/use-uploads.ts'
import { formatBytes, uploadDocument } from './upload-document.ts'

const COLUMNS: Column<DocumentSummary>[] = [
  {
    key: 'address',
    label: 'Address',
    cell: ({ address }) => (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {address}
      </a>
    ),
  },
  { key: 'uses', label: 'Used in', staysFolded: true, cell: ({ usedIn }) => countUses(usedIn.length) },
  { key: 'size', label: 'Size', isNumber: true, priority: 2, cell: ({ bytes }) => formatBytes(bytes) },
  { key: 'changed', label: 'Changed', isSortable: true, priority: 2, cell: ({ updatedAt }) => formatMoment(updatedAt) },
  { key: 'by', label: 'By', priority: 3, cell: ({ updatedBy }) => updatedBy },
]

/** The PDF documents that pages and events link to. */
export default function DocumentsPage() {
  const navigate = useNavigate()
  const list = useList({ name: 'documents', filters: [], columns: COLUMNS.map(({ key }) => key) })
  const { query, page, size, sort } = list
  const loaded = useLoaded(listDocuments, {
    query: {
      q: query || undefined,
      sort: sort === 'changed' ? 'changed' : undefined,
      page: page > 1 ? String(page) : undefined,
      size: size === 25 ? undefined : (String(size) as '50' | '100'),
    },
  })
  const uploads = useUploads(async (file) => {
    const { id } = await uploadDocument(file)
    loaded.reload()
    if (uploads.uploads.length <= 1) void navigate(`/console/documents/${id}`)
  })
  return (
    <ConsolePage title="Documents" lead="PDF files. A document keeps its address when you replace its file.">
      <DropZone
        accept="application/pdf,.pdf"
        what="PDF documents"
        hint="Up to 20 MB each, without a password, scripts or attachments."
        onFiles={uploads.add}
      />
      <UploadList uploads={uploads} />
      <ListTools list={list} searchLabel="Title or address" />
      <ListStates
        loaded={loaded}
        list={list}
        what="documents"
        isEmpty={({ documents }) => documents.length === 0}
        empty={<Empty title="No documents yet">Add a PDF above, then link it from a page or an event.</Empty>}
      >
        {({ documents, total }) => (
          <>
            <DataTable
              caption={`Documents, sorted by ${sort === 'changed' ? 'last change' : 'title'}`}
              rows={documents}
              rowId={({ id }) => id}
              name={{ label: 'Title', text: ({ title }) => title, to: ({ id }) => `/console/documents/${id}` }}
              columns={COLUMNS}
              list={list}
              summary={({ address, bytes }) => `${address} · ${formatBytes(bytes)}`}
            />
            <ListPager list={list} total={total} />
          </>
        )}
      </ListStates>
    </ConsolePage>
  )
}

function countUses(count: number): string {
  if (count === 0) return 'Not used'
  return count === 1 ? '1 place' : `${count} places`
}
