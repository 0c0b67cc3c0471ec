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
import { DraftFormMessages } from '../forms/draft-form-messages.tsx'
import { SelectField } from '../forms/select-field.tsx'
import { useDraftForm } from '../forms/use-draft-form.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer, officerErrorMessage } from '../shell/call-as-officer.ts'
import { ConsolePage, WhenLoaded } from '../shell/console-page.tsx'
import { useAction } from '../shell/use-action.ts'
import { useLoaded, type Loaded } from '../shell/use-loaded.ts'
import { showToast } from '../ui/toasts.tsx'
import { CropCard } from './crop-card.tsx'
import { findPerson, personKey, personLabel, PERSON_HINT } from '../content/person-field.tsx'
import { PictureUses } from './picture-uses.tsx'
import { ReplacePicture } from './replace-picture.tsx'
import { captionOf } from '#web/shared/pictures/picture-caption.rules.ts'
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

const DETAILS = { alt: 'Alt text', caption: 'Caption', person: 'Portrait of' }

function DetailsForm({ picture, params, found }: PartsProps) {
  const saved = picture.person ? personKey(picture.person) : ''
  const { hasCaptions, hasPeople, people } = picture
  const form = useDraftForm(`picture:${params.bucket}/${params.folder}/${params.filename}`, {
    fields: DETAILS,
    saved: { alt: picture.alt, caption: captionNow(picture), person: saved },
    display: { person: (key) => findPerson(key, people)?.name ?? key },
    savesInTopBar: true,
    errorMessage: officerErrorMessage,
    async send({ alt, caption }) {
      // Not what the select shows: it has no option for a person who is no longer listed.
      const { person } = form.values
      const body = {
        alt,
        ...(hasCaptions && { caption }),
        ...(hasPeople && person !== saved && { person: findPerson(person, people) }),
      }
      found.setValue({ ...picture, ...(await callAsOfficer(describePicture, { params, body })) })
      showToast('Saved.')
    },
  })
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
        <form {...form.props}>
          <DraftFormMessages form={form} />
          <p className="small soft">{`${picture.filename}, ${Math.ceil(picture.size / 1_024)} kB`}</p>
          <Field {...form.field('alt')} hint="One sentence that describes the image to people who can’t see it." />
          {hasCaptions && (
            <Field
              {...form.field('caption')}
              label="Caption (optional)"
              hint="Shown below the image. Leave empty for no caption."
            />
          )}
          {hasPeople && picture.person?.isListed === false && (
            <Banner tone="warn">
              {`This portrait is of ${picture.person.name}, who is no longer listed under that name, so it is not shown. Choose the person again, or delete the image.`}
            </Banner>
          )}
          {hasPeople && (
            <SelectField
              {...form.field('person')}
              options={[
                ['', 'Not chosen'],
                ...people.map((person) => [personKey(person), personLabel(person)] as const),
              ]}
              hint={PERSON_HINT}
            />
          )}
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
