import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { listMedia, type DescribedPicture, type MediaFolder } from '#contract/console/media.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useLoaded } from '../shell/use-loaded.ts'
import { AddPictureForm } from './add-picture-form.tsx'
import { consolePicturePath } from './picture-path.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'

/** The media library. */
export default function PicturesPage() {
  const media = useLoaded(listMedia)
  const navigate = useNavigate()
  // The success message after an image's page deleted it.
  const done = (useLocation().state as { done?: string } | null)?.done ?? ''
  const [adding, setAdding] = useState<MediaFolder | null>(null)

  return (
    <ConsolePage title="Media" lead="All images of the site.">
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      <WhenLoaded loaded={media} what="images">
        {({ folders }) =>
          folders.map((folder) => (
            <section key={`${folder.bucket}/${folder.folder}`} className="card">
              <div className="card-head">
                <h2>{folder.label}</h2>
                <Button
                  variant="line"
                  size="small"
                  aria-label={`Add image to ${folder.label}`}
                  onClick={() => setAdding(folder)}
                >
                  Add image
                </Button>
              </div>
              <p className="soft small">{folder.use}</p>
              {folder.pictures === null && <p role="alert">The image storage is not responding. Try again later.</p>}
              {folder.pictures?.length === 0 && <p>No images yet.</p>}
              <ul className="picture-grid">
                {folder.pictures?.map((picture) => (
                  <li key={picture.key}>
                    <Link to={consolePicturePath({ ...folder, filename: picture.filename })}>
                      <Picture
                        src={picture.url}
                        sizes={picture.sizes}
                        displayWidth="10rem"
                        alt=""
                        width={400}
                        height={300}
                      />
                      <span className="small">{picture.alt || picture.filename}</span>
                    </Link>
                    {picture.alt === '' && <Badge tone="warn">No alt text</Badge>}
                    {folder.hasPeople && <PortraitOf person={picture.person} />}
                  </li>
                ))}
              </ul>
            </section>
          ))
        }
      </WhenLoaded>
      <Dialog open={adding !== null} onClose={() => setAdding(null)} title="Add image" width="36rem">
        {adding && (
          <>
            <p>{adding.label}</p>
            <AddPictureForm
              folder={adding}
              people={media.value?.people ?? []}
              onAdded={({ filename }) => void navigate(consolePicturePath({ ...adding, filename }))}
            />
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

function PortraitOf({ person }: { person: DescribedPicture['person'] }) {
  if (!person) return <Badge tone="warn">No person chosen</Badge>
  if (!person.isListed) return <Badge tone="warn">{`${person.name} is no longer listed`}</Badge>
  return <p className="small soft">{person.name}</p>
}
