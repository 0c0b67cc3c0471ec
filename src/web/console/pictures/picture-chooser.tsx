import { useState } from 'react'
import { listMedia, type DescribedPicture } from '#contract/console/media.ts'
import { ARTICLES_FOLDER } from '#contract/public/media.ts'
import { WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { AddPictureForm } from './add-picture-form.tsx'

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

/** All stored images by folder, the built-in illustrations, and an upload form. */
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
  const media = useLoaded(listMedia)
  // Disables choosing during an upload, which would replace the choice when it finishes.
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <WhenLoaded loaded={media} what="images">
        {({ folders, drawings }) => {
          const offered = folders.map((folder) => ({ ...folder, pictures: folder.pictures?.filter(isOffered) ?? null }))
          const filled = offered.filter(({ pictures }) => pictures === null || pictures.length > 0)
          return (
            <>
              {filled.length === 0 && <p>No images yet. Add one below.</p>}
              {filled.map(({ bucket, folder, label, pictures }) => (
                <section key={`${bucket}/${folder}`} aria-label={label}>
                  <h3>{label}</h3>
                  {pictures === null && <p role="alert">The image storage is not responding. Try again later.</p>}
                  <ul className="picture-grid">
                    {pictures?.map((picture) => (
                      <ImageOption
                        key={picture.key}
                        picture={picture}
                        buttonLabel={picture.alt || picture.filename}
                        disabled={isAdding}
                        onChosen={() => onChosen({ picture, folder: { bucket, folder } })}
                      />
                    ))}
                  </ul>
                </section>
              ))}
              {onDrawing && (
                <section aria-label="Illustrations">
                  <h3>Illustrations</h3>
                  <ul className="picture-grid">
                    {drawings.map(({ name, url }) => (
                      <ImageOption
                        key={name}
                        picture={{ url, alt: '' }}
                        buttonLabel={name}
                        disabled={isAdding}
                        onChosen={() => onDrawing(name)}
                      />
                    ))}
                  </ul>
                </section>
              )}
            </>
          )
        }}
      </WhenLoaded>
      <h3>Add image</h3>
      <AddPictureForm
        folder={ARTICLES_FOLDER}
        onAdded={(picture) => onChosen({ picture, folder: ARTICLES_FOLDER })}
        onSending={setAdding}
      />
    </>
  )
}

function ImageOption({
  picture: { url, sizes, alt },
  buttonLabel,
  disabled,
  onChosen,
}: {
  picture: Pick<DescribedPicture, 'url' | 'sizes' | 'alt'>
  buttonLabel: string
  disabled: boolean
  onChosen(): void
}) {
  return (
    <li>
      <button type="button" disabled={disabled} onClick={onChosen}>
        <Picture src={url} sizes={sizes} displayWidth="10rem" alt={alt} width={400} height={300} />
        <span className="small">{buttonLabel}</span>
      </button>
    </li>
  )
}
