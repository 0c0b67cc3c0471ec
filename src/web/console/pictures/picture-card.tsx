import { useState, type PointerEvent } from 'react'
import { useNavigate } from 'react-router'
import type { DescribedPicture, ListedPerson, MediaFolder } from '#contract/console/media.ts'
import { ARTICLES_FOLDER } from '#contract/public/media.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Link } from '#web/ui/link.tsx'
import { Picture } from '#web/ui/picture.tsx'
import { ICONS } from '../ui/console-icons.ts'
import { RowMenu } from '../ui/row-menu.tsx'
import { consolePicturePath } from './picture-path.ts'
import { PictureTexts } from './picture-texts.tsx'

interface PictureCardProps {
  picture: DescribedPicture
  folder: MediaFolder | undefined
  people: readonly ListedPerson[]
  /** The texts are open from the start. */
  asksTexts: boolean
  isDragged: boolean
  /** null where the order cannot be changed. */
  onDragStart: ((event: PointerEvent) => void) | null
  onMove: ((by: 1 | -1) => void) | null
  canMove: { up: boolean; down: boolean }
  onRename(): void
  onSaved(picture: DescribedPicture): void
}

/** An image in the library, with its menu and, on request, its texts. */
export function PictureCard(props: PictureCardProps) {
  const { picture, folder, people, asksTexts, isDragged, onDragStart, onMove, canMove, onRename, onSaved } = props
  const [isEditing, setEditing] = useState(asksTexts)
  const navigate = useNavigate()
  const path = consolePicturePath(picture)
  const { alt, name, person } = picture
  return (
    <li data-dragged={isDragged || undefined}>
      {/* The name below leads there too. */}
      <Link
        to={path}
        className="media-picture"
        tabIndex={-1}
        aria-label={`${name}, ${alt === '' ? 'no alt text' : 'picture'}`}
      >
        <Picture src={picture.url} sizes={picture.sizes} displayWidth="12rem" alt="" width={400} height={300} />
        {alt === '' && <Badge tone="warn">No alt text</Badge>}
      </Link>
      <div className="media-name">
        {onDragStart && (
          <span className="drag-handle" aria-hidden="true" onPointerDown={onDragStart}>
            <Icon d={ICONS.drag} strokeWidth={3} />
          </span>
        )}
        <span>
          <Link to={path}>{name}</Link>
          <span className="small soft">{folder?.hasPeople ? personText(person) : usesText(picture)}</span>
        </span>
        <RowMenu
          name={`Actions for ${name}`}
          items={[
            { label: 'Edit texts', onSelect: () => setEditing(true) },
            { label: 'Crop and details', onSelect: () => void navigate(path) },
            { label: 'Rename', onSelect: onRename },
            ...(onMove && canMove.up ? [{ label: 'Move up', onSelect: () => onMove(-1) }] : []),
            ...(onMove && canMove.down ? [{ label: 'Move down', onSelect: () => onMove(1) }] : []),
          ]}
        />
      </div>
      {isEditing && folder && <PictureTexts picture={picture} folder={folder} people={people} onSaved={onSaved} />}
    </li>
  )
}

function usesText({ folder, usedIn: { length: count } }: DescribedPicture): string {
  // The images of the other folders are shown without being chosen.
  if (count === 0) return folder === ARTICLES_FOLDER.folder ? 'Not used' : 'Shown on the site'
  return count === 1 ? 'Used in 1 place' : `Used in ${count} places`
}

function personText(person: DescribedPicture['person']): string {
  if (!person) return 'No person chosen'
  return person.isListed ? person.name : `${person.name} is no longer listed`
}
