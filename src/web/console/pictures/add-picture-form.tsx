import { useId, useState } from 'react'
import { addPicture, type DescribedPicture, type ListedPerson, type MediaFolder } from '#contract/console/media.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PersonField, findPerson } from '../content/person-field.tsx'
import { PrintCheckbox } from './print-checkbox.tsx'
import { resizePicture } from './resize-picture.ts'
import { usePictureQueue } from './use-picture-queue.ts'

type Problems = { file?: string; alt?: string; caption?: string; person?: string }

/** Uploads an image. Alt text is required. */
export function AddPictureForm({
  folder: target,
  people = [],
  onAdded,
  onSending,
}: {
  folder: Pick<MediaFolder, 'bucket' | 'folder'> & Partial<Pick<MediaFolder, 'hasCaptions' | 'hasPeople'>>
  /** People whose portrait it can be. */
  people?: readonly ListedPerson[]
  onAdded(picture: DescribedPicture): void
  /** Called when the upload starts and when it ends, even with an error. */
  onSending?(isSending: boolean): void
}) {
  // The page behind the dialog may have a field with the same name.
  const id = useId()
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [alt, setAlt] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [caption, setCaption] = useState('')
  const [person, setPerson] = useState('')
  const [isPrint, setPrint] = useState(Boolean(target.hasCaptions || target.hasPeople))
  const [step, setStep] = useState('')
  const queue = usePictureQueue()

  async function send() {
    if (!file) return setProblems({ file: 'Choose an image' })
    if (alt.trim() === '') return setProblems({ alt: 'Please describe the image' })
    const whose = findPerson(person, people)
    if (target.hasPeople && !whose) return setProblems({ person: 'Choose the person' })
    setProblems({})
    await action.run('add', async () => {
      onSending?.(true)
      try {
        setStep('Resizing')
        const ready = await resizePicture(file)
        if (ready.refused !== null) return setProblems({ file: ready.refused })
        const { file: body, filename } = ready
        setStep(`Uploading ${formatSize(body.size)}`)
        const texts = { alt, caption, ...(whose && { personList: whose.list, personName: whose.name }) }
        const print = isPrint ? { isPrint: 'true' as const } : {}
        const query = { filename, ...texts, ...print, ticket: queue.begin() }
        const { bucket, folder } = target
        onAdded(await callAsOfficer(addPicture, { params: { bucket, folder }, query, file: body }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblems(failure.fieldErrors ?? {})
        throw failure
      } finally {
        queue.end()
        onSending?.(false)
      }
    })
  }

  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void send()
      }}
    >
      <ActionMessages action={action} />
      <Field
        label="Image"
        name="file"
        id={`${id}-file`}
        type="file"
        accept="image/*"
        hint="Up to 25 MB. Photos are resized before upload, and location data is removed."
        onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        {...(problems.file && { error: problems.file })}
      />
      <Field
        label="Alt text"
        name="alt"
        id={`${id}-alt`}
        hint="One sentence that describes the image to people who can’t see it."
        value={alt}
        onChange={({ target }) => setAlt(target.value)}
        {...(problems.alt && { error: problems.alt })}
      />
      {target.hasCaptions && (
        <Field
          label="Caption (optional)"
          name="caption"
          id={`${id}-caption`}
          hint="Shown below the image."
          value={caption}
          onChange={({ target }) => setCaption(target.value)}
          {...(problems.caption && { error: problems.caption })}
        />
      )}
      {target.hasPeople && (
        <PersonField
          id={`${id}-person`}
          people={people}
          value={person}
          onChange={setPerson}
          {...(problems.person && { error: problems.person })}
        />
      )}
      <PrintCheckbox isPrint={isPrint} onChange={setPrint} />
      {action.busy !== null && <progress className="upload-progress" aria-label={queue.status || step} />}
      <div role="status">{queue.status && <p className="small">{queue.status}</p>}</div>
      <Button type="submit" busy={action.busy !== null} busyLabel={step}>
        {action.failure && Object.keys(problems).length === 0 ? 'Try again' : 'Add image'}
      </Button>
    </form>
  )
}

function formatSize(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
