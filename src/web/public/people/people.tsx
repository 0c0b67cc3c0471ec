import { useEffect, useEffectEvent, useState, type MouseEvent } from 'react'
import { useLocation } from 'react-router'
import type { Leader } from '#contract/public/association.ts'
import type { StoredImage } from '#contract/public/media.ts'
import { Disclosure } from '#web/ui/disclosure.tsx'
import { Dialog, preloadDialog } from '#web/ui/overlays/dialog.tsx'
import { Biography } from './biography.tsx'
import { Portrait, portraitsOf, type PortraitPicture } from './portrait.tsx'
import { slug } from '../slug.rules.ts'

/** The class of the list for the number of people who lead. */
const LAYOUTS = ['people', 'people chaired', 'people officers'] as const

interface PeopleProps {
  members: Leader[]
  /** The portraits from the server. */
  images: StoredImage[]
  /** Before a year, such as 'Trustee since'. */
  sinceLabel: string
}

/**
 * People with their portraits; those who lead come first and large. The name opens the biography of those who have one;
 * without script the text stands below it.
 */
export function People({ members, images, sinceLabel }: PeopleProps) {
  const [shown, setShown] = useState<number | null>(null)
  const [open, setOpen] = useState(false)
  const portraits = portraitsOf(members, images)
  const leads = leadCount(members)

  function show(index: number) {
    setShown(index)
    setOpen(true)
  }

  // A link to a biography opens it.
  const { hash } = useLocation()
  const showLinked = useEffectEvent((link: string) => {
    const linked = members.findIndex((one) => one.bio.length > 0 && `#${biographyId(one)}` === link)
    if (linked >= 0) show(linked)
  })
  useEffect(() => showLinked(hash), [hash])

  const person = shown === null ? undefined : members[shown]
  const portrait = shown === null ? undefined : portraits[shown]
  return (
    <>
      <ul className={LAYOUTS[leads]}>
        {members.map((member, index) => (
          <Person
            key={member.name}
            member={member}
            picture={portraits[index]}
            isLead={index < leads}
            isFirst={index === 0}
            sinceLabel={sinceLabel}
            onOpen={() => show(index)}
          />
        ))}
      </ul>
      {/* `shown` stays set while the closing dialog fades out. */}
      <Dialog open={open} onClose={() => setOpen(false)} title={person?.name ?? ''} width="52rem">
        {person && portrait && <Biography person={person} picture={portrait} sinceLabel={sinceLabel} />}
      </Dialog>
    </>
  )
}

interface PersonProps {
  member: Leader
  picture: PortraitPicture | undefined
  isLead: boolean
  isFirst: boolean
  sinceLabel: string
  onOpen(): void
}

function Person({ member, picture, isLead, isFirst, sinceLabel, onOpen }: PersonProps) {
  const { name, role, location, field, practice, since, askMeAbout, bio } = member
  const work = [field, isLead ? practice : null].filter(Boolean).join(', ')
  return (
    <li className={isLead ? 'lead-person' : undefined}>
      {picture && (
        <Portrait
          picture={picture}
          displayWidth={isLead ? '(min-width: 64rem) 19rem, 45vw' : '(min-width: 64rem) 18rem, 45vw'}
          isPriority={isFirst}
        />
      )}
      <div>
        {role && <p className="eyebrow">{role}</p>}
        <h2>{bio.length > 0 ? <BiographyLink member={member} onOpen={onOpen} /> : name}</h2>
        {work && <p>{work}</p>}
        {location && <p className="meta">{location}</p>}
        {since !== null && (
          <p className="meta">
            {sinceLabel} {since}
          </p>
        )}
        {isLead && askMeAbout && <p className="ask-me">Ask me about {askMeAbout}</p>}
        {bio.length > 0 && (
          <noscript>
            <Disclosure summary="Biography">
              <div id={biographyId(member)}>
                {bio.map((paragraph) => (
                  <p key={paragraph}>{paragraph}</p>
                ))}
              </div>
            </Disclosure>
          </noscript>
        )}
      </div>
    </li>
  )
}

/** Without script it leads to the text below the name. */
function BiographyLink({ member, onOpen }: Pick<PersonProps, 'member' | 'onOpen'>) {
  function click(event: MouseEvent) {
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0) return
    event.preventDefault()
    onOpen()
  }
  return (
    <a
      href={`#${biographyId(member)}`}
      aria-haspopup="dialog"
      onPointerEnter={() => void preloadDialog().catch(() => {})}
      onClick={click}
    >
      {member.name}
    </a>
  )
}

/** 'meera-raghuvanshi' for Dr. Meera Raghuvanshi. */
function biographyId({ name }: Leader): string {
  return slug(name.replace(/^Dr\.? /, ''))
}

/** The first two of the officers; only the chair of a board; no one where there are no roles. */
function leadCount([first, second]: readonly Leader[]): 0 | 1 | 2 {
  if (!first?.role) return 0
  return second?.role ? 2 : 1
}
