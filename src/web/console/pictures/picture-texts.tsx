import { useId, useState } from 'react'
import { describePicture, type DescribedPicture, type ListedPerson, type MediaFolder } from '#contract/console/media.ts'
import type { BodyOf } from '#contract/endpoint.ts'
import { Field } from '#web/ui/field.tsx'
import { findPerson, PersonField, personKey } from '../content/person-field.tsx'
import { ActionMessages } from '../shell/action-messages.tsx'
import { callAsOfficer } from '../shell/call-as-officer.ts'
import { useAction } from '../shell/use-action.ts'

/** The texts of an image in a list; each is saved when its field is left. */
export function PictureTexts({
  picture,
  folder,
  people,
  onSaved,
}: {
  picture: DescribedPicture
  folder: Pick<MediaFolder, 'hasCaptions' | 'hasPeople'>
  people: readonly ListedPerson[]
  onSaved(picture: DescribedPicture): void
}) {
  const id = useId()
  const action = useAction()
  const [alt, setAlt] = useState(picture.alt)
  const [caption, setCaption] = useState(picture.caption ?? '')
  const [person, setPerson] = useState(picture.person ? personKey(picture.person) : '')
  const { bucket, folder: name, filename } = picture

  async function save(body: BodyOf<typeof describePicture>) {
    const params = { bucket, folder: name, filename }
    await action.run('describe', async () => onSaved(await callAsOfficer(describePicture, { params, body })), 'Saved')
  }

  return (
    <div className="picture-texts">
      <Field
        label="Alt text"
        name="alt"
        id={`${id}-alt`}
        value={alt}
        onChange={({ target }) => setAlt(target.value)}
        onBlur={() => {
          if (alt.trim() !== '' && alt !== picture.alt) void save({ alt })
        }}
      />
      {folder.hasCaptions && (
        <Field
          label="Caption"
          name="caption"
          id={`${id}-caption`}
          value={caption}
          onChange={({ target }) => setCaption(target.value)}
          onBlur={() => {
            if (caption !== (picture.caption ?? '')) void save({ caption })
          }}
        />
      )}
      {folder.hasPeople && (
        <PersonField
          id={`${id}-person`}
          people={people}
          value={person}
          onChange={(next) => {
            setPerson(next)
            void save({ person: findPerson(next, people) })
          }}
        />
      )}
      {action.failure && <ActionMessages action={action} />}
      <span className="small soft" role="status">
        {action.busy ? 'Saving' : action.done}
      </span>
    </div>
  )
}
