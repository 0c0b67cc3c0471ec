import { useState } from 'react'
import { useNavigate } from 'react-router'
import { Link } from '#web/ui/link.tsx'
import {
  deletePicture,
  describePicture,
  getPicture,
  isReplaceable,
  type PictureDetail,
} from '#contract/console/media.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { CropCard } from './crop-card.tsx'
import { PersonField, personKey, findPerson } from '../content/person-field.tsx'
import { PictureUses } from './picture-uses.tsx'
import { ReplacePicture } from './replace-picture.tsx'
import { captionOf } from '#web/shared/stored-images.rules.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import { Field } from '#web/ui/field.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { Card } from '#web/ui/card.tsx'

interface PictureParams {
  bucket: string
  folder: string
  filename: string
}

/** One image: its description, crop and uses. */
export default function PicturePage(params: PictureParams) {
  const { bucket, folder, filename } = params
  const id = `${bucket}/${folder}/${filename}`
  const found = useLoaded(getPicture, { params })
  const { value: picture } = found
  return (
    <ConsolePage
      title={picture?.alt || filename}
      lead={
        <>
          <Link to="/console/pictures">Media</Link>
          {picture && ` · ${picture.label}`}
        </>
      }
    >
      <WhenLoaded loaded={found} what="the image">
        {(loaded) => <Parts key={id} picture={loaded} params={params} found={found} />}
      </WhenLoaded>
    </ConsolePage>
  )
}

interface PartsProps {
  picture: PictureDetail
  params: PictureParams
  found: Loaded<PictureDetail>
}

function Parts({ picture, params, found }: PartsProps) {
  const { original } = picture
  return (
    <>
      <DetailsForm picture={picture} params={params} found={found} />
      {original ? (
        <CropCard picture={picture} original={original} params={params} onChanged={found.setValue} />
      ) : (
        <Card title="Crop">
          <p>Drawings and animations cannot be cropped.</p>
        </Card>
      )}
      <Uses picture={picture} params={params} found={found} />
      <Deletion picture={picture} params={params} />
    </>
  )
}

function DetailsForm({ picture, params, found }: PartsProps) {
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
          ...(hasPeople && person !== saved && { person: findPerson(person, people) }),
        }
        try {
          found.setValue({ ...picture, ...(await callAsOfficer(describePicture, { params, body })) })
          setProblem('')
        } catch (failure) {
          if (failure instanceof CallFailure) setProblem(failure.fieldErrors?.['person'] ?? '')
          throw failure
        }
      },
      'Saved.',
    )
  }
  return (
    <Card>
      <div className="picture-editor">
        <Picture
          src={picture.url}
          sizes={picture.sizes}
          displayWidth="(min-width: 48rem) 24rem, 100vw"
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
            label="Alt text"
            name="alt"
            hint="One sentence that describes the image to people who can’t see it."
            value={alt}
            onChange={({ target }) => setAlt(target.value)}
          />
          {hasCaptions && (
            <Field
              label="Caption (optional)"
              name="caption"
              hint="Shown below the image. Leave empty for no caption."
              value={caption}
              onChange={({ target }) => setCaption(target.value)}
            />
          )}
          {hasPeople && picture.person?.isListed === false && (
            <Banner tone="warn">
              {`This portrait is of ${picture.person.name}, who is no longer listed under that name, so it is not shown. Choose the person again, or delete the image.`}
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
    </Card>
  )
}

/** The caption visitors see now. */
function captionNow({ caption, filename }: Pick<PictureDetail, 'caption' | 'filename'>): string {
  return captionOf({ filename, ...(caption !== null && { caption }) })
}

function Uses({ picture, params, found }: PartsProps) {
  const { usedIn, use, isChosen } = picture
  const [done, setDone] = useState('')
  return (
    <Card title="Used in">
      <div role="status">{done && <Banner tone="good">{done}</Banner>}</div>
      {!isChosen && <p>{use}</p>}
      {usedIn.length > 0 && <PictureUses uses={usedIn} />}
      {usedIn.length === 0 && isChosen && <p>Not used yet.</p>}
      {usedIn.some(isReplaceable) && (
        <ReplacePicture
          picture={picture}
          params={params}
          onReplaced={(next) => {
            setDone('Replaced. The change is live.')
            found.setValue(next)
          }}
          reload={found.reload}
        />
      )}
    </Card>
  )
}

function Deletion({ picture, params }: Omit<PartsProps, 'found'>) {
  const navigate = useNavigate()
  const action = useAction()
  const [isConfirming, setConfirming] = useState(false)
  const isUsed = picture.usedIn.some(isReplaceable)
  async function remove() {
    setConfirming(false)
    await action.run('delete', async () => {
      await callAsOfficer(deletePicture, { params })
      void navigate('/console/pictures', { state: { done: `${picture.filename} was deleted.` } })
    })
  }
  return (
    <Card title="Delete" danger>
      <ActionMessages action={action} />
      <Button
        variant="danger"
        disabled={isUsed}
        reason="This image is in use (see above). Replace it first."
        busy={action.busy !== null}
        busyLabel="Deleting"
        onClick={() => setConfirming(true)}
      >
        Delete image
      </Button>
      <Dialog open={isConfirming} onClose={() => setConfirming(false)} title="Delete this image?" width="30rem">
        <p>This cannot be undone.</p>
        {picture.usedIn.length > 0 && <p>It will be missing from emails already sent with it.</p>}
        {!picture.isChosen && <p>{`It disappears from the site: ${picture.label}.`}</p>}
        <div className="buttons">
          <Button variant="danger" onClick={() => void remove()}>
            Delete permanently
          </Button>
          <Button variant="line" onClick={() => setConfirming(false)}>
            Cancel
          </Button>
        </div>
      </Dialog>
    </Card>
  )
}
