import { useState } from 'react'
import { isReplaceable, replacePicture, type PictureDetail } from '#contract/console/media.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { PictureLibrary, type StoredChoice } from './picture-chooser.tsx'
import { PictureUses } from './picture-uses.tsx'

/** Replaces an image everywhere it is used, after a confirmation that lists all uses. */
export function ReplacePicture({
  picture,
  params,
  onReplaced,
  reload,
}: {
  picture: PictureDetail
  params: { bucket: string; folder: string; filename: string }
  onReplaced(picture: PictureDetail): void
  /** Reloads the uses. */
  reload(): void
}) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<StoredChoice | null>(null)
  const action = useAction()
  const uses = picture.usedIn.filter(isReplaceable)
  const sent = picture.usedIn.length - uses.length

  function close() {
    setOpen(false)
    setChosen(null)
  }

  async function replace({ picture: by, folder: byPlace }: StoredChoice) {
    const body = { by: by.filename, byPlace, seen: uses.map(({ path }) => path) }
    const isDone = await action.run('replace', async () => {
      onReplaced(await callAsOfficer(replacePicture, { params, body }))
    })
    if (isDone) close()
    else reload()
  }

  return (
    <>
      <Button variant="line" onClick={() => setOpen(true)}>
        Replace everywhere
      </Button>
      <Dialog open={isOpen} onClose={close} title={chosen ? 'Replace everywhere?' : 'Replace everywhere'} width="52rem">
        {isOpen && !chosen && (
          <PictureLibrary
            canChoose={({ address }) => address !== picture.address}
            onChosen={(other) => {
              if (other.picture.address !== picture.address) setChosen(other)
            }}
          />
        )}
        {chosen && (
          <>
            <ActionMessages action={action} />
            <div className="replace-pair">
              <figure>
                <Picture src={picture.url} sizes={picture.sizes} displayWidth="14rem" alt="" width={400} height={300} />
                <figcaption className="small">{`Current: ${picture.alt || picture.filename}`}</figcaption>
              </figure>
              <figure>
                <Picture
                  src={chosen.picture.url}
                  sizes={chosen.picture.sizes}
                  displayWidth="14rem"
                  alt=""
                  width={400}
                  height={300}
                />
                <figcaption className="small">{`New: ${chosen.picture.alt || chosen.picture.filename}`}</figcaption>
              </figure>
            </div>
            <p>
              {`Published, draft and scheduled records all change now. Each gets a new version, so you can undo it there with “Restore”. Alt text entered in a record is not changed.`}
            </p>
            {sent > 0 && (
              <p>
                {sent === 1 ? '1 email already sent does not change.' : `${sent} emails already sent do not change.`}
              </p>
            )}
            <PictureUses uses={uses} />
            <div className="buttons">
              <Button busy={action.busy !== null} busyLabel="Replacing" onClick={() => void replace(chosen)}>
                {uses.length === 1 ? 'Replace' : `Replace in ${uses.length} places`}
              </Button>
              <Button variant="line" disabled={action.busy !== null} onClick={() => setChosen(null)}>
                Back
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </>
  )
}
