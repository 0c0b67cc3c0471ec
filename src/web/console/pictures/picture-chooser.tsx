import { useState } from 'react'
import { listPictures, type DescribedPicture } from '#contract/console/media.ts'
import { ARTICLES_FOLDER } from '#contract/public/media.ts'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { FieldBox } from '#web/ui/field.tsx'
import { SearchField } from '../forms/search-field.tsx'
import { DropZone } from '../ui/drop-zone.tsx'
import { UploadList } from '../ui/upload-list.tsx'
import { useUploads } from '../ui/use-uploads.ts'
import { uploadPicture } from './upload-picture.ts'

/** A field's value: the URL of a stored image, or the name of a built-in illustration. */
export interface ChosenPicture {
  address: string
  alt: string
}

/** A stored image and its folder. */
export interface StoredChoice {
  picture: DescribedPicture
  folder: { bucket: string; folder: string }
}

/** Chooses or uploads an image for a field. */
export function PictureChooser({
  label,
  buttonLabel = 'Choose image',
  forEmails = false,
  onChosen,
}: {
  label: string
  buttonLabel?: string
  /** Excludes SVG images, which email clients don't show. */
  forEmails?: boolean
  onChosen(picture: ChosenPicture): void
}) {
  const [isOpen, setOpen] = useState(false)
  const choose = (picture: ChosenPicture) => {
    setOpen(false)
    onChosen(picture)
  }
  return (
    <div className="picture-chooser">
      <Button variant="line" size="small" aria-label={`${buttonLabel} for ${label}`} onClick={() => setOpen(true)}>
        {buttonLabel}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Choose image" width="52rem">
        {isOpen && (
          <PictureLibrary
            canChoose={({ filename }) => !forEmails || !filename.endsWith('.svg')}
            onChosen={({ picture }) => choose(picture)}
            {...(!forEmails && { onDrawing: (name: string) => choose({ address: name, alt: '' }) })}
          />
        )}
      </Dialog>
    </div>
  )
}

/** One picker for all images: search, folder, the newest first, built-in illustrations, and upload by dropping. */
export function PictureLibrary({
  canChoose: isOffered = () => true,
  onChosen,
  onDrawing,
}: {
  canChoose?(picture: DescribedPicture): boolean
  onChosen(choice: StoredChoice): void
  /** Omitted when illustrations are not allowed. */
  onDrawing?(name: string): void
}) {
  const [query, setQuery] = useState('')
  const [place, setPlace] = useState('')
  const [page, setPage] = useState(1)
  const isDrawings = place === DRAWINGS
  const found = useLoaded(listPictures, {
    query: { q: query || undefined, folder: isDrawings ? undefined : place || undefined, page: String(page) },
  })
  const uploads = useUploads(async (file, report) => {
    const picture = await uploadPicture(file, { ...ARTICLES_FOLDER, isPrint: false }, report)
    onChosen({ picture, folder: ARTICLES_FOLDER })
  })
  const isBusy = uploads.uploads.some(({ state }) => state === 'sending' || state === 'waiting')
  return (
    <>
      <div className="pair">
        <SearchField
          label="Search images"
          onSearch={(next) => {
            setQuery(next)
            setPage(1)
          }}
        />
        <FieldBox id="picture-place" label="Folder">
          <select
            id="picture-place"
            className="input"
            value={place}
            onChange={({ target }) => {
              setPlace(target.value)
              setPage(1)
            }}
          >
            <option value="">Recently added</option>
            {(found.value?.folders ?? []).map(({ bucket, folder, label }) => (
              <option key={`${bucket}/${folder}`} value={`${bucket}/${folder}`}>
                {label}
              </option>
            ))}
            {onDrawing && <option value={DRAWINGS}>Illustrations</option>}
          </select>
        </FieldBox>
      </div>
      <WhenLoaded loaded={found} what="images">
        {({ pictures, pages, drawings }) => {
          const shownDrawings = onDrawing && isDrawings ? drawings.filter(({ name }) => name.includes(query)) : []
          const offered = isDrawings ? [] : pictures.filter(isOffered)
          return (
            <>
              {offered.length + shownDrawings.length === 0 && <p>No images here. Add one below.</p>}
              <ul className="picture-grid">
                {offered.map((picture) => (
                  <ImageOption
                    key={picture.key}
                    picture={picture}
                    buttonLabel={picture.alt || picture.name}
                    disabled={isBusy}
                    onChosen={() => onChosen({ picture, folder: { bucket: picture.bucket, folder: picture.folder } })}
                  />
                ))}
                {shownDrawings.map(({ name, url }) => (
                  <ImageOption
                    key={name}
                    picture={{ url }}
                    buttonLabel={name}
                    disabled={isBusy}
                    onChosen={() => onDrawing?.(name)}
                  />
                ))}
              </ul>
              {!isDrawings && pages > 1 && (
                <div className="buttons">
                  <Button variant="line" size="small" disabled={page === 1} onClick={() => setPage(page - 1)}>
                    Newer
                  </Button>
                  <Button variant="line" size="small" disabled={page >= pages} onClick={() => setPage(page + 1)}>
                    Older
                  </Button>
                </div>
              )}
            </>
          )
        }}
      </WhenLoaded>
      <DropZone
        accept="image/*"
        what="an image"
        hint="Up to 25 MB. Add its alt text afterwards under Media."
        isSingle
        onFiles={uploads.add}
      />
      <UploadList uploads={uploads} />
    </>
  )
}

/** The folder of the site's own drawings, which are not stored. */
const DRAWINGS = 'drawings'

function ImageOption({
  picture: { url, sizes },
  buttonLabel,
  disabled,
  onChosen,
}: {
  picture: Pick<DescribedPicture, 'url' | 'sizes'>
  buttonLabel: string
  disabled: boolean
  onChosen(): void
}) {
  return (
    <li>
      <button type="button" disabled={disabled} onClick={onChosen}>
        <Picture src={url} sizes={sizes} displayWidth="10rem" alt="" width={400} height={300} />
        <span className="small">{buttonLabel}</span>
      </button>
    </li>
  )
}
