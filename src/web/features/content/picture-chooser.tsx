import { useState } from 'react'
import { listMedia } from '#contract/console-media.ts'
import { WORDS_FOLDER } from '#contract/media.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { AddPictureForm } from './add-picture-form.tsx'

/** Chooses one of the site's pictures for a field, or adds one. */
export function PictureChooser({ label, onChosen }: { label: string; onChosen(address: string): void }) {
  const [isOpen, setOpen] = useState(false)
  const choose = (address: string) => {
    setOpen(false)
    onChosen(address)
  }
  return (
    <div className="picture-chooser">
      <Button variant="line" size="small" aria-label={`Choose a picture for ${label}`} onClick={() => setOpen(true)}>
        Choose or add a picture
      </Button>
      <Dialog open={isOpen} onClose={() => setOpen(false)} title="Choose a picture" width="52rem">
        {isOpen && <Choice onChosen={choose} />}
      </Dialog>
    </div>
  )
}

function Choice({ onChosen }: { onChosen(address: string): void }) {
  const media = useLoaded('media', async () => (await callAsOfficer(listMedia)).folders)
  return (
    <>
      <WhenLoaded loaded={media} what="the pictures">
        {(folders) => {
          const pictures = folders.find(({ folder }) => folder === WORDS_FOLDER.folder)?.pictures ?? []
          if (pictures.length === 0) return <p>There are no pictures yet. Add the first one below.</p>
          return (
            <ul className="picture-grid">
              {pictures.map((picture) => (
                <li key={picture.key}>
                  <button type="button" onClick={() => onChosen(picture.address)}>
                    <Picture src={picture.url} sizes={picture.sizes} alt={picture.alt} width={400} height={300} />
                    <span className="small">{picture.alt || picture.filename}</span>
                  </button>
                </li>
              ))}
            </ul>
          )
        }}
      </WhenLoaded>
      <h3>Add one</h3>
      <AddPictureForm place={WORDS_FOLDER} onAdded={({ address }) => onChosen(address)} />
    </>
  )
}
