import { useId, useState } from 'react'
import { addPicture, type DescribedPicture, type ListedPerson, type MediaFolder } from '#contract/console-media.ts'
import { CallFailure } from '#web/api/call-failure.ts'
import { ActionMessages } from '#web/features/console/action-messages.tsx'
import { callAsOfficer } from '#web/features/console/console-door.ts'
import { useAction } from '#web/features/console/use-action.ts'
import { Button } from '#web/ui/button.tsx'
import { Field } from '#web/ui/field.tsx'
import { PersonField, personOf } from './person-field.tsx'
import { shrinkPicture } from './shrink-picture.ts'
import { usePictureQueue } from './use-picture-queue.ts'

type Problems = { file?: string; alt?: string; caption?: string; person?: string }

/** A picture from this phone or computer; what it shows must be said. */
export function AddPictureForm({
  place,
  people = [],
  onAdded,
  onSending,
}: {
  place: Pick<MediaFolder, 'bucket' | 'folder'> & Partial<Pick<MediaFolder, 'hasCaptions' | 'hasPeople'>>
  /** Whose portrait it may be. */
  people?: readonly ListedPerson[]
  onAdded(picture: DescribedPicture): void
  /** Told when it begins and when it has ended, well or not. */
  onSending?(isSending: boolean): void
}) {
  // The page behind the dialog may have a field of this name.
  const id = useId()
  const action = useAction()
  const [file, setFile] = useState<File | null>(null)
  const [alt, setAlt] = useState('')
  const [problems, setProblems] = useState<Problems>({})
  const [caption, setCaption] = useState('')
  const [person, setPerson] = useState('')
  const [step, setStep] = useState('')
  const queue = usePictureQueue()

  async function send() {
    if (!file) return setProblems({ file: 'Please choose a picture' })
    if (alt.trim() === '') return setProblems({ alt: 'Please say what the picture shows' })
    const whose = personOf(person, people)
    if (place.hasPeople && !whose) return setProblems({ person: 'Please choose whose portrait it is' })
    setProblems({})
    await action.run('add', async () => {
      onSending?.(true)
      try {
        setStep('Making it smaller')
        const ready = await shrinkPicture(file)
        if (ready.refused !== null) return setProblems({ file: ready.refused })
        const { file: body, filename } = ready
        setStep(`Sending ${sizeInWords(body.size)}`)
        const said = { alt, caption, ...(whose && { personList: whose.list, personName: whose.name }) }
        const query = { filename, ...said, ticket: queue.begin() }
        const { bucket, folder } = place
        onAdded(await callAsOfficer(addPicture, { params: { bucket, folder }, query, file: body }))
      } catch (failure) {
        if (failure instanceof CallFailure) setProblems(failure.errors ?? {})
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
        label="Picture"
        name="file"
        id={`${id}-file`}
        type="file"
        accept="image/*"
        hint="Photographs are made smaller here before they are sent; whatever is sent may have 25 MB. What the camera noted of the place is taken out."
        onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        {...(problems.file && { error: problems.file })}
      />
      <Field
        label="What it shows"
        name="alt"
        id={`${id}-alt`}
        hint="For people who cannot see it: one sentence."
        value={alt}
        onChange={({ target }) => setAlt(target.value)}
        {...(problems.alt && { error: problems.alt })}
      />
      {place.hasCaptions && (
        <Field
          label="Caption (optional)"
          name="caption"
          id={`${id}-caption`}
          hint="Visitors read it under the picture."
          value={caption}
          onChange={({ target }) => setCaption(target.value)}
          {...(problems.caption && { error: problems.caption })}
        />
      )}
      {place.hasPeople && (
        <PersonField
          id={`${id}-person`}
          people={people}
          value={person}
          onChange={setPerson}
          {...(problems.person && { error: problems.person })}
        />
      )}
      {action.busy !== null && <progress className="upload-progress" aria-label={queue.words || step} />}
      <div role="status">{queue.words && <p className="small">{queue.words}</p>}</div>
      <Button type="submit" busy={action.busy !== null} busyLabel={step}>
        {action.failure && Object.keys(problems).length === 0 ? 'Try again' : 'Add the picture'}
      </Button>
    </form>
  )
}

function sizeInWords(bytes: number): string {
  return bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}
