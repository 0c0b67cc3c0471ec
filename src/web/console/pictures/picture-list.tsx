import { useRef, useState } from 'react'
import { useLocation } from 'react-router'
import {
  describePicture,
  listPictures,
  orderPictures,
  PICTURE_FILTERS,
  type DescribedPicture,
  type MediaFolder,
} from '#contract/console/media.ts'
import { ARTICLES_FOLDER } from '#contract/public/media.ts'
import type { ReplyOf } from '#contract/endpoint.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { ListStates } from '../list/list-states.tsx'
import { ListTools } from '../list/list-tools.tsx'
import { useList } from '../list/use-list.ts'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded } from '../shell/use-loaded.ts'
import { DropZone } from '../ui/drop-zone.tsx'
import { Empty } from '../ui/empty.tsx'
import { PageTabs } from '../ui/page-tabs.tsx'
import { showFailure, showToast } from '../ui/toasts.tsx'
import { UploadList } from '../ui/upload-list.tsx'
import { moved, useDragOrder } from '../ui/use-drag-order.ts'
import { useUploads } from '../ui/use-uploads.ts'
import { PictureCard } from './picture-card.tsx'
import { PrintCheckbox } from './print-checkbox.tsx'
import { uploadPicture } from './upload-picture.ts'

type Library = ReplyOf<typeof listPictures>

const MEDIA = '/console/pictures'
const FILTER_LABELS = { undescribed: 'No alt text', unused: 'Not used' } as const

/** The media library: many images at once, by folder, searched and ordered. */
export default function PicturesPage() {
  const list = useList({ name: 'media', filters: ['folder', 'show'], columns: [] })
  const { query, filters, page } = list
  const folder = filters['folder']?.[0]
  const filter = PICTURE_FILTERS.find((one) => one === filters['show']?.[0])
  const loaded = useLoaded(listPictures, {
    query: { q: query || undefined, folder, filter, page: page > 1 ? String(page) : undefined },
  })
  const library = loaded.value
  const current = library?.folders.find((one) => `${one.bucket}/${one.folder}` === folder)
  // The success message after an image's page deleted it.
  const done = (useLocation().state as { done?: string } | null)?.done ?? ''
  const tab = (label: string, params: Record<string, string>, count?: number | null) => ({
    label,
    to: `${MEDIA}${Object.keys(params).length > 0 ? `?${new URLSearchParams(params)}` : ''}`,
    isCurrent: params['folder'] === folder && params['show'] === filter,
    count: count ?? undefined,
  })

  return (
    <ConsolePage title="Media" lead={current?.use}>
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      <PageTabs
        label="Folders"
        tabs={[
          tab('All', {}),
          ...(library?.folders ?? []).map((one) =>
            tab(one.label, { folder: `${one.bucket}/${one.folder}` }, one.count),
          ),
          tab(FILTER_LABELS.undescribed, { show: 'undescribed' }, library?.undescribed),
          tab(FILTER_LABELS.unused, { show: 'unused' }),
        ]}
      />
      <ListTools list={list} searchLabel="Name, description or person" />
      {/* Until the folders are known, images would go to another one, and what was chosen would be lost from sight. */}
      {library && <Uploader key={folder} folder={current} reload={loaded.reload} />}
      <ListStates
        loaded={loaded}
        list={list}
        what="images"
        isEmpty={({ pictures }) => pictures.length === 0}
        empty={<Empty title="No images yet">Drop some above.</Empty>}
      >
        {(value) => (
          <PictureGrid
            key={`${folder} ${value.pictures.map(({ key }) => key).join()}`}
            library={value}
            current={current}
            isOrdered={folder !== undefined && query === '' && filter === undefined}
            asksTexts={filter === 'undescribed'}
            reload={loaded.reload}
          />
        )}
      </ListStates>
      {library && library.pages > 1 && (
        <nav className="list-pager" aria-label="Pages">
          <p role="status">{`Page ${page} of ${library.pages}`}</p>
          <div className="segments">
            <Button
              variant="line"
              size="small"
              disabled={page === 1}
              onClick={() => list.change({ page: page > 2 ? String(page - 1) : null })}
            >
              Previous
            </Button>
            <Button
              variant="line"
              size="small"
              disabled={page >= library.pages}
              onClick={() => list.change({ page: String(page + 1) })}
            >
              Next
            </Button>
          </div>
        </nav>
      )}
    </ConsolePage>
  )
}

function Uploader({ folder, reload }: { folder: MediaFolder | undefined; reload(): void }) {
  const {
    bucket,
    folder: name,
    hasCaptions,
    hasPeople,
  } = folder ?? { ...ARTICLES_FOLDER, hasCaptions: false, hasPeople: false }
  const [isPrint, setPrint] = useState(hasCaptions || hasPeople)
  const uploads = useUploads(async (file, report) => {
    await uploadPicture(file, { bucket, folder: name, isPrint }, report)
    reload()
  })
  const isDone =
    uploads.uploads.length > 0 && uploads.uploads.every(({ state }) => state === 'done' || state === 'failed')
  return (
    <>
      <DropZone
        accept="image/*"
        what="images"
        hint={`Any number, up to 25 MB each, to ${folder ? `“${folder.label}”` : '“For events, news and pages”'}. Location data is removed from photos.`}
        onFiles={uploads.add}
      />
      <PrintCheckbox isPrint={isPrint} onChange={setPrint} />
      <UploadList uploads={uploads} />
      {isDone && (
        <Banner tone="note">
          Add the alt text{hasCaptions && ' and caption'} of each new image below: choose “Edit texts” in its menu, or
          the tab “No alt text”.
        </Banner>
      )}
    </>
  )
}

interface PictureGridProps {
  library: Library
  current: MediaFolder | undefined
  /** The images are those of one folder, in its order. */
  isOrdered: boolean
  asksTexts: boolean
  reload(): void
}

function PictureGrid({ library, current, isOrdered, asksTexts, reload }: PictureGridProps) {
  const [pictures, setPictures] = useState<readonly DescribedPicture[]>(library.pictures)
  const latest = useRef(pictures)
  const grid = useRef<HTMLUListElement>(null)
  const [renamed, setRenamed] = useState<DescribedPicture | null>(null)

  function show(next: readonly DescribedPicture[]) {
    latest.current = next
    setPictures(next)
  }

  async function saveOrder(before: readonly DescribedPicture[]) {
    if (!current) return
    const { bucket, folder } = current
    const save = async (order: readonly DescribedPicture[]) => {
      const body = { filenames: order.map(({ filename }) => filename) }
      await callAsOfficer(orderPictures, { params: { bucket, folder }, body })
    }
    try {
      await save(latest.current)
      showToast('Order saved', {
        undo: async () => {
          await save(before)
          show(before)
        },
      })
    } catch (failure) {
      show(before)
      showFailure(officerErrorMessage(failure))
    }
  }

  const move = (from: number, to: number) => show(moved(latest.current, from, to))
  const before = useRef(pictures)
  const drag = useDragOrder(grid, { onMove: move, onDrop: () => void saveOrder(before.current) })
  const replace = (next: DescribedPicture) =>
    show(latest.current.map((one) => (one.key === next.key ? { ...one, ...next } : one)))

  return (
    <>
      <ul className="media-grid" ref={grid}>
        {pictures.map((picture, index) => (
          <PictureCard
            key={picture.key}
            picture={picture}
            folder={library.folders.find((one) => one.bucket === picture.bucket && one.folder === picture.folder)}
            people={library.people}
            asksTexts={asksTexts}
            isDragged={drag.dragged === index}
            onDragStart={
              isOrdered
                ? (event) => {
                    before.current = latest.current
                    drag.start(index)(event)
                  }
                : null
            }
            onMove={
              isOrdered
                ? (by) => {
                    const former = latest.current
                    move(index, index + by)
                    void saveOrder(former)
                  }
                : null
            }
            canMove={{ up: index > 0, down: index < pictures.length - 1 }}
            onRename={() => setRenamed(picture)}
            onSaved={replace}
          />
        ))}
      </ul>
      <Dialog open={renamed !== null} onClose={() => setRenamed(null)} title="Rename image" width="30rem">
        {renamed && (
          <RenameForm
            picture={renamed}
            onRenamed={(next) => {
              replace(next)
              setRenamed(null)
              reload()
            }}
          />
        )}
      </Dialog>
    </>
  )
}

function RenameForm({ picture, onRenamed }: { picture: DescribedPicture; onRenamed(picture: DescribedPicture): void }) {
  const [name, setName] = useState(picture.name)
  const action = useAction()
  const { bucket, folder, filename } = picture
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        void action.run('rename', async () =>
          onRenamed(await callAsOfficer(describePicture, { params: { bucket, folder, filename }, body: { name } })),
        )
      }}
    >
      <Field
        label="Name"
        name="name"
        hint="In the library. Its address stays, so pages and emails that show it do not change."
        error={action.failure ?? ''}
        value={name}
        onChange={({ target }) => setName(target.value)}
      />
      <Button type="submit" busy={action.busy !== null} busyLabel="Renaming" disabled={name.trim() === ''}>
        Rename
      </Button>
    </form>
  )
}
