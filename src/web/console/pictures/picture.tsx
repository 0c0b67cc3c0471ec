import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Link } from '#web/ui/link.tsx'
import {
  deletePicture,
  describePicture,
  getPicture,
  isReplaceable,
  type PictureDetail,
} from '#contract/console-media.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { ConsolePage, WhenLoaded } from '#web/features/console/console-page.tsx'
import { useAction } from '#web/features/console/use-action.ts'
import { useLoaded, type Loaded } from '#web/features/console/use-loaded.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { CropSheet } from '#web/features/content/crop-sheet.tsx'
import { PersonField, personKey, personOf } from '#web/features/content/person-field.tsx'
import { PictureUses } from '#web/features/content/picture-uses.tsx'
import { ReplacePicture } from '#web/features/content/replace-picture.tsx'
import { captionOf } from '#web/features/media/stored-images.rules.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { Sheet } from '#web/ui/sheet.tsx'

/** One picture: what it shows, how it is cropped, where it is used. */
export default function PicturePage({ id }: { id: string }) {
  const [bucket = '', folder = '', filename = ''] = id.split('/')
  const params = { bucket, folder, filename }
  const found = useLoaded(id, () => callAsOfficer(getPicture, { params }))
  const { value: picture } = found
  return (
    <ConsolePage
      title={picture?.alt || filename}
      lead={
        <>
          <Link to="/console/pictures">Pictures</Link>
          {picture && ` · ${picture.label}`}
        </>
      }
    >
      <WhenLoaded loaded={found} what="the picture">
        {(loaded) => <Parts key={id} picture={loaded} params={params} found={found} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

interface PartsProps {
  picture: PictureDetail
  params: { bucket: string; folder: string; filename: string }
  found: Loaded<PictureDetail>
}

function Parts({ picture, params, found }: PartsProps) {
  const { original } = picture
  return (
    <>
      <Itself picture={picture} params={params} found={found} />
      {original ? (
        <CropSheet picture={picture} original={original} params={params} onChanged={found.setValue} />
      ) : (
        <Sheet title="Crop">
          <p>Drawings and moving pictures stay whole.</p>
        </Sheet>
      )}
      <Uses picture={picture} params={params} found={found} />
      <Deletion picture={picture} params={params} />
    </>
  )
}

function Itself({ picture, params, found }: PartsProps) {
  const saved = picture.person ? personKey(picture.person) : ''
  const [alt, setAlt] = useState(picture.alt)
  const [caption, setCaption] = useState(captionNow(picture))
  const [person, setPerson] = useState(saved)
  const [problem, setProblem] = useState('')
  const action = useAction()
  const { hasCaptions, hasPeople, people } = picture
  const isChanged = alt !== picture.alt || caption !== captionNow(picture) || person !== saved
  async function describe() {
    await action.run(
      'describe',
      async () => {
        const body = {
          alt,
          ...(hasCaptions && { caption }),
          ...(hasPeople && person !== saved && { person: personOf(person, people) }),
        }
        try {
          found.setValue({ ...picture, ...(await callAsOfficer(describePicture, { params, body })) })
          setProblem('')
        } catch (failure) {
          if (failure instanceof CallFailure) setProblem(failure.errors?.['person'] ?? '')
          throw failure
        }
      },
      'Saved.',
    )
  }
  return (
    <Sheet>
      <div className="picture-desk">
        <Picture
          src={picture.url}
          sizes={picture.sizes}
          shownAt="(min-width: 48rem) 24rem, 100vw"
          alt={picture.alt}
          width={800}
          height={600}
        />
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            void describe()
          }}
        >
          <ActionMessages action={action} />
          <p className="small soft">{`${picture.filename}, ${Math.ceil(picture.size / 1_024)} kB`}</p>
          <Field
            label="What it shows"
            name="alt"
            hint="For people who cannot see it: one sentence."
            value={alt}
            onChange={({ target }) => setAlt(target.value)}
          />
          {hasCaptions && (
            <Field
              label="Caption (optional)"
              name="caption"
              hint="Visitors read it under the picture. Empty for no caption."
              value={caption}
              onChange={({ target }) => setCaption(target.value)}
            />
          )}
          {hasPeople && picture.person?.isListed === false && (
            <Banner tone="warn">
              {`It was chosen for ${picture.person.name}, who is no longer listed under this name. It is not shown: choose the person again, or delete it.`}
            </Banner>
          )}
          {hasPeople && (
            <PersonField
              id="picture-person"
              people={people}
              value={person}
              onChange={setPerson}
              {...(problem && { error: problem })}
            />
          )}
          <Button
            type="submit"
            busy={action.busy !== null}
            busyLabel="Saving"
            disabled={alt.trim() === '' || !isChanged}
          >
            Save
          </Button>
        </form>
      </div>
    </Sheet>
  )
}

/** What visitors read under it now. */
function captionNow({ caption, filename }: Pick<PictureDetail, 'caption' | 'filename'>): string {
  return captionOf({ filename, ...(caption !== null && { caption }) })
}

function Uses({ picture, params, found }: PartsProps) {
  const { usedIn, use, isChosen } = picture
  const [done, setDone] = useState('')
  return (
    <Sheet title="Where it is used">
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      {!isChosen && <p>{use}</p>}
      {usedIn.length > 0 && <PictureUses uses={usedIn} />}
      {usedIn.length === 0 && isChosen && <p>Nowhere yet.</p>}
      {usedIn.some(isReplaceable) && (
        <ReplacePicture
          picture={picture}
          params={params}
          onReplaced={(next) => {
            setDone('Replaced. Visitors see the other picture within a second.')
            found.setValue(next)
          }}
          reload={found.reload}
        />
      )}
    </Sheet>
  )
}

function Deletion({ picture, params }: Omit<PartsProps, 'found'>) {
  const navigate = useNavigate()
  const action = useAction()
  const [isAsking, setAsking] = useState(false)
  const isUsed = picture.usedIn.some(isReplaceable)
  async function remove() {
    setAsking(false)
    await action.run('delete', async () => {
      await callAsOfficer(deletePicture, { params })
      void navigate('/console/pictures', { state: { done: `${picture.filename} was deleted.` } })
    })
  }
  return (
    <Sheet title="Delete it" danger>
      <ActionMessages action={action} />
      <Button
        variant="danger"
        disabled={isUsed}
        reason="It is used, as the list above says. Put another picture in its place first."
        busy={action.busy !== null}
        busyLabel="Deleting it"
        onClick={() => setAsking(true)}
      >
        Delete the picture
      </Button>
      <Dialog open={isAsking} onClose={() => setAsking(false)} title="Delete this picture?" width="30rem">
        <p>A deleted picture cannot be brought back.</p>
        {picture.usedIn.length > 0 && <p>It will be missing in letters that were sent with it.</p>}
        {!picture.isChosen && <p>{`It disappears from the site: ${picture.label}.`}</p>}
        <div className="buttons">
          <Button variant="danger" onClick={() => void remove()}>
            Delete it for good
          </Button>
          <Button variant="line" onClick={() => setAsking(false)}>
            Keep it
          </Button>
        </div>
      </Dialog>
    </Sheet>
  )
}
