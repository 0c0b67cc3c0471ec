import { useState } from 'react'
import {
  deletePicture,
  describePicture,
  listMedia,
  type DescribedPicture,
  type MediaFolder,
} from '#contract/console-media.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { AddPictureForm } from '#web/features/content/add-picture-form.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'

type Place = Pick<MediaFolder, 'bucket' | 'folder' | 'label'>

/** The pictures of the site (issue 8, 5). */
export default function PicturesPage() {
  const media = useLoaded('media', async () => (await callAsOfficer(listMedia)).folders)
  const action = useAction()
  const [adding, setAdding] = useState<Place | null>(null)
  const [opened, setOpened] = useState<{ place: Place; picture: DescribedPicture } | null>(null)

  return (
    <ConsolePage title="Pictures" lead="What stands where on the site, and what each picture shows.">
      <ActionMessages action={action} />
      <WhenLoaded loaded={media} what="the pictures">
        {(folders) =>
          folders.map((folder) => (
            <section key={`${folder.bucket}/${folder.folder}`} className="sheet">
              <div className="sheet-head">
                <h2>{folder.label}</h2>
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Add a picture to ${folder.label}`}
                  onClick={() => setAdding(folder)}
                >
                  Add a picture
                </Button>
              </div>
              <p className="soft small">{folder.use}</p>
              {folder.pictures === null && <p role="alert">The store of pictures does not answer. Try again later.</p>}
              {folder.pictures?.length === 0 && <p>None yet.</p>}
              <ul className="picture-grid">
                {folder.pictures?.map((picture) => (
                  <li key={picture.key}>
                    <button type="button" onClick={() => setOpened({ place: folder, picture })}>
                      <Picture src={picture.url} sizes={picture.sizes} alt={picture.alt} width={400} height={300} />
                      <span className="small">{picture.filename}</span>
                      {picture.alt === '' && <Badge tone="warn">Not described</Badge>}
                    </button>
                  </li>
                ))}
              </ul>
            </section>
          ))
        }
      </WhenLoaded>
      <Dialog open={adding !== null} onClose={() => setAdding(null)} title="Add a picture" width="36rem">
        {adding && (
          <>
            <p>{adding.label}</p>
            <AddPictureForm
              place={adding}
              onAdded={() => {
                setAdding(null)
                media.reload()
              }}
            />
          </>
        )}
      </Dialog>
      <Dialog open={opened !== null} onClose={() => setOpened(null)} title="Picture" width="36rem">
        {opened && (
          <OpenedPicture
            {...opened}
            onDescribe={(alt) => {
              const params = { ...opened.place, filename: opened.picture.filename }
              setOpened(null)
              void action.run(
                'describe',
                async () => {
                  await callAsOfficer(describePicture, { params, body: { alt } })
                  media.reload()
                },
                'Saved.',
              )
            }}
            onDelete={() => {
              const params = { ...opened.place, filename: opened.picture.filename }
              setOpened(null)
              void action.run(
                'delete',
                async () => {
                  await callAsOfficer(deletePicture, { params })
                  media.reload()
                },
                'The picture was deleted.',
              )
            }}
          />
        )}
      </Dialog>
    </ConsolePage>
  )
}

function OpenedPicture({
  picture,
  onDescribe,
  onDelete,
}: {
  picture: DescribedPicture
  onDescribe(alt: string): void
  onDelete(): void
}) {
  const [alt, setAlt] = useState(picture.alt)
  const [isDeleting, setDeleting] = useState(false)
  return (
    <>
      <Picture src={picture.url} sizes={picture.sizes} alt={picture.alt} width={800} height={600} />
      <p className="small soft">{`${picture.filename}, ${Math.ceil(picture.size / 1_024)} kB`}</p>
      <h3>Where it is used</h3>
      {picture.usedIn.length === 0 ? (
        <p>In nothing that is written here.</p>
      ) : (
        <ul>
          {picture.usedIn.map(({ title, path }) => (
            <li key={path}>
              <Link to={path}>{title}</Link>
            </li>
          ))}
        </ul>
      )}
      <Field label="What it shows" name="alt" value={alt} onChange={({ target }) => setAlt(target.value)} />
      <div className="buttons">
        <Button disabled={alt.trim() === ''} onClick={() => onDescribe(alt)}>
          Save
        </Button>
        {!isDeleting && (
          <Button variant="line" onClick={() => setDeleting(true)}>
            Delete
          </Button>
        )}
      </div>
      {isDeleting && (
        <div role="alert">
          <p>
            {picture.usedIn.length > 0
              ? 'It will be missing wherever it is used. A deleted picture cannot be brought back.'
              : 'A deleted picture cannot be brought back.'}
          </p>
          <div className="buttons">
            <Button variant="danger" onClick={onDelete}>
              Delete it for good
            </Button>
            <Button variant="line" onClick={() => setDeleting(false)}>
              Keep it
            </Button>
          </div>
        </div>
      )}
    </>
  )
}
