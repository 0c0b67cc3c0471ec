import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { listMedia, type DescribedPicture, type MediaFolder } from '#contract/console-media.ts'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useLoaded } from '#web/features/console/use-loaded.ts'
import { AddPictureForm } from '#web/features/content/add-picture-form.tsx'
import { consolePicturePath } from '#web/features/content/picture-path.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'

/** The pictures of the site. */
export default function PicturesPage() {
  const media = useLoaded('media', () => callAsOfficer(listMedia))
  const navigate = useNavigate()
  // Said here of a picture whose page is gone.
  const done = (useLocation().state as { done?: string } | null)?.done ?? ''
  const [adding, setAdding] = useState<MediaFolder | null>(null)

  return (
    <ConsolePage title="Pictures" lead="What stands where on the site, and what each picture shows.">
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      <WhenLoaded loaded={media} what="the pictures">
        {({ folders }) =>
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
                    <Link to={consolePicturePath({ ...folder, filename: picture.filename })}>
                      <Picture
                        src={picture.url}
                        sizes={picture.sizes}
                        shownAt="10rem"
                        alt=""
                        width={400}
                        height={300}
                      />
                      <span className="small">{picture.alt || picture.filename}</span>
                    </Link>
                    {picture.alt === '' && <Badge tone="warn">Not described</Badge>}
                    {folder.hasPeople && <Whose person={picture.person} />}
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
              people={media.value?.people ?? []}
              onAdded={({ filename }) => void navigate(consolePicturePath({ ...adding, filename }))}
            />
          </>
        )}
      </Dialog>
    </ConsolePage>
  )
}

function Whose({ person }: { person: DescribedPicture['person'] }) {
  if (!person) return <Badge tone="warn">Nobody’s portrait</Badge>
  if (!person.isListed) return <Badge tone="warn">{`${person.name} is no longer listed`}</Badge>
  return <p className="small soft">{person.name}</p>
}
