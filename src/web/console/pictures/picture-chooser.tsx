import { useState } from 'react'
import { listMedia, type DescribedPicture } from '#contract/console-media.ts'
import { WORDS_FOLDER } from '#contract/media.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { AddPictureForm } from './add-picture-form.tsx'

/** What a field takes: the address of a stored picture, or the name of a drawing of the site. */
export interface ChosenPicture {
  address: string
  alt: string
}

/** A picture of the store, with where it lies. */
export interface StoredChoice {
  picture: DescribedPicture
  place: { bucket: string; folder: string }
}

/** Chooses one of the site's pictures for a field, or adds one. */
export function PictureChooser({
  label,
  words = 'Choose or add a picture',
  forLetters = false,
  onChosen,
}: {
  label: string
  words?: string
  /** Mail programs show no drawings. */
  forLetters?: boolean
  onChosen(picture: ChosenPicture): void
}) {
  const [isOpen, setOpen] = useState(false)
  const choose = (picture: ChosenPicture) => {
    setOpen(false)
    onChosen(picture)
  }
  return (
    <div className="picture-chooser">
      <Button variant="line" size="small" aria-label={`${words} for ${label}`} onClick={() => setOpen(true)}>
        {words}
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Choose a picture" width="52rem">
        {isOpen && (
          <PictureChoice
            offers={({ filename }) => !forLetters || !filename.endsWith('.svg')}
            onChosen={({ picture }) => choose(picture)}
            {...(!forLetters && { onDrawing: (name: string) => choose({ address: name, alt: '' }) })}
          />
        )}
      </Dialog>
    </div>
  )
}

/** Every picture of the store, folder by folder, the drawings of the site, and a form that adds a picture. */
export function PictureChoice({
  offers = () => true,
  onChosen,
  onDrawing,
}: {
  offers?(picture: DescribedPicture): boolean
  onChosen(choice: StoredChoice): void
  /** Left out where a drawing cannot be shown. */
  onDrawing?(name: string): void
}) {
  const media = useLoaded('media', () => callAsOfficer(listMedia))
  // One that was chosen meanwhile would be taken back by the one that comes.
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <WhenLoaded loaded={media} what="the pictures">
        {({ folders, drawings }) => {
          const offered = folders.map((folder) => ({ ...folder, pictures: folder.pictures?.filter(offers) ?? null }))
          const filled = offered.filter(({ pictures }) => pictures === null || pictures.length > 0)
          return (
            <>
              {filled.length === 0 && <p>There are no others yet. Add one below.</p>}
              {filled.map(({ bucket, folder, label, pictures }) => (
                <section key={`${bucket}/${folder}`} aria-label={label}>
                  <h3>{label}</h3>
                  {pictures === null && <p role="alert">The store of pictures does not answer. Try again later.</p>}
                  <ul className="picture-grid">
                    {pictures?.map((picture) => (
                      <Offer
                        key={picture.key}
                        picture={picture}
                        words={picture.alt || picture.filename}
                        disabled={isAdding}
                        onChosen={() => onChosen({ picture, place: { bucket, folder } })}
                      />
                    ))}
                  </ul>
                </section>
              ))}
              {onDrawing && (
                <section aria-label="Drawings of the site">
                  <h3>Drawings of the site</h3>
                  <ul className="picture-grid">
                    {drawings.map(({ name, url }) => (
                      <Offer
                        key={name}
                        picture={{ url, alt: '' }}
                        words={name}
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
      <h3>Add one</h3>
      <AddPictureForm
        place={WORDS_FOLDER}
        onAdded={(picture) => onChosen({ picture, place: WORDS_FOLDER })}
        onSending={setAdding}
      />
    </>
  )
}

function Offer({
  picture: { url, sizes, alt },
  words,
  disabled,
  onChosen,
}: {
  picture: Pick<DescribedPicture, 'url' | 'sizes' | 'alt'>
  words: string
  disabled: boolean
  onChosen(): void
}) {
  return (
    <li>
      <button type="button" disabled={disabled} onClick={onChosen}>
        <Picture src={url} sizes={sizes} shownAt="10rem" alt={alt} width={400} height={300} />
        <span className="small">{words}</span>
      </button>
    </li>
  )
}
