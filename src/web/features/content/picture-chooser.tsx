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
  onChosen(picture: DescribedPicture): void
}) {
  const [isOpen, setOpen] = useState(false)
  const choose = (picture: DescribedPicture) => {
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
          <PictureChoice offers={({ filename }) => !forLetters || !filename.endsWith('.svg')} onChosen={choose} />
        )}
      </Dialog>
    </div>
  )
}

/** The pictures from which officers choose while they write, and a form that adds one. */
export function PictureChoice({
  offers = () => true,
  onChosen,
}: {
  offers?(picture: DescribedPicture): boolean
  onChosen(picture: DescribedPicture): void
}) {
  const media = useLoaded('media', async () => (await callAsOfficer(listMedia)).folders)
  // One that was chosen meanwhile would be taken back by the one that comes.
  const [isAdding, setAdding] = useState(false)
  return (
    <>
      <WhenLoaded loaded={media} what="the pictures">
        {(folders) => {
          const found = folders.find(({ folder }) => folder === WORDS_FOLDER.folder)?.pictures
          if (!found) return <p role="alert">The store of pictures does not answer. Try again later.</p>
          const pictures = found.filter(offers)
          if (pictures.length === 0) return <p>There are no others yet. Add one below.</p>
          return (
            <ul className="picture-grid">
              {pictures.map((picture) => (
                <li key={picture.key}>
                  <button type="button" disabled={isAdding} onClick={() => onChosen(picture)}>
                    <Picture
                      src={picture.url}
                      sizes={picture.sizes}
                      shownAt="10rem"
                      alt={picture.alt}
                      width={400}
                      height={300}
                    />
                    <span className="small">{picture.alt || picture.filename}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }}
      </WhenLoaded>
      <h3>Add one</h3>
      <AddPictureForm place={WORDS_FOLDER} onAdded={onChosen} onSending={setAdding} />
    </>
  )
}
