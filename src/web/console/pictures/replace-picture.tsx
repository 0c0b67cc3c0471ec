import { useState } from 'react'
import { isReplaceable, replacePicture, type PictureDetail } from '#contract/console-media.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { PictureChoice, type StoredChoice } from './picture-chooser.tsx'
import { PictureUses } from './picture-uses.tsx'

/** Puts another picture in the place of this one: chosen first, then confirmed with every use named. */
export function ReplacePicture({
  picture,
  params,
  onReplaced,
  reload,
}: {
  picture: PictureDetail
  params: { bucket: string; folder: string; filename: string }
  onReplaced(picture: PictureDetail): void
  /** Asks again where it is used. */
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

  async function replace({ picture: by, place: byPlace }: StoredChoice) {
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
        Replace by another picture
      </Button>
      <Dialog
        open={isOpen}
        onClose={close}
        title={chosen ? 'Replace it everywhere?' : 'Replace by another picture'}
        width="52rem"
      >
        {isOpen && !chosen && (
          <PictureChoice
            offers={({ address }) => address !== picture.address}
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
                <Picture src={picture.url} sizes={picture.sizes} shownAt="14rem" alt="" width={400} height={300} />
                <figcaption className="small">{`Now: ${picture.alt || picture.filename}`}</figcaption>
              </figure>
              <figure>
                <Picture
                  src={chosen.picture.url}
                  sizes={chosen.picture.sizes}
                  shownAt="14rem"
                  alt=""
                  width={400}
                  height={300}
                />
                <figcaption className="small">{`Then: ${chosen.picture.alt || chosen.picture.filename}`}</figcaption>
              </figure>
            </div>
            <p>
              {`What is published changes at once, drafts and what is scheduled with it. Each gets a version of its own, so “Bring back” undoes it there. What a picture shows, where it is told beside it, stays as it was written.`}
            </p>
            {sent > 0 && (
              <p>
                {sent === 1
                  ? 'One letter that was sent stays as people have it.'
                  : `${sent} letters that were sent stay as people have them.`}
              </p>
            )}
            <PictureUses uses={uses} />
            <div className="buttons">
              <Button busy={action.busy !== null} busyLabel="Replacing it" onClick={() => void replace(chosen)}>
                {uses.length === 1 ? 'Replace it there' : `Replace it in all ${uses.length} places`}
              </Button>
              <Button variant="line" disabled={action.busy !== null} onClick={() => setChosen(null)}>
                Choose another
              </Button>
            </div>
          </>
        )}
      </Dialog>
    </>
  )
}
