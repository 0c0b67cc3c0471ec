import type { PictureCrop } from '#contract/public/media.ts'

/** Image size in pixels. */
export interface Size {
  width: number
  height: number
}

/** The crop rectangle, in pixels of the image. */
export interface Frame extends Size {
  left: number
  top: number
}

export const CORNERS = ['top left', 'top right', 'bottom left', 'bottom right'] as const
export type Corner = (typeof CORNERS)[number]

/** Width divided by height; null for a free ratio. */
export const RATIOS = { free: null, '4:3': 4 / 3, '16:9': 16 / 9, square: 1, portrait: 3 / 4 } as const
export type Ratio = keyof typeof RATIOS

/** The server's minimum. */
const SMALLEST = 50
const WHOLE = 10_000

export function wholeFrame({ width, height }: Size): Frame {
  return { left: 0, top: 0, width, height }
}

/** Moves the frame within the image. */
export function moveFrame(frame: Frame, { x, y }: { x: number; y: number }, whole: Size): Frame {
  return {
    ...frame,
    left: between(frame.left + x, 0, whole.width - frame.width),
    top: between(frame.top + y, 0, whole.height - frame.height),
  }
}

/** Moves one corner; the opposite corner and a fixed ratio stay. */
export function resizeFrame(
  frame: Frame,
  corner: Corner,
  { x, y }: { x: number; y: number },
  { whole, ratio }: { whole: Size; ratio: Ratio },
): Frame {
  const isRight = corner.endsWith('right')
  const isBottom = corner.startsWith('bottom')
  const room = {
    width: isRight ? whole.width - frame.left : frame.left + frame.width,
    height: isBottom ? whole.height - frame.top : frame.top + frame.height,
  }
  const wanted = { width: frame.width + (isRight ? x : -x), height: frame.height + (isBottom ? y : -y) }
  const size = fit(wanted, frame, room, RATIOS[ratio])
  return {
    ...size,
    left: isRight ? frame.left : frame.left + frame.width - size.width,
    top: isBottom ? frame.top : frame.top + frame.height - size.height,
  }
}

function fit(wanted: Size, before: Size, room: Size, ratio: number | null): Size {
  if (ratio === null)
    return {
      width: between(wanted.width, Math.min(SMALLEST, room.width), room.width),
      height: between(wanted.height, Math.min(SMALLEST, room.height), room.height),
    }
  const byWidth = wanted.width - before.width
  const byHeight = (wanted.height - before.height) * ratio
  const most = Math.min(room.width, room.height * ratio)
  const least = Math.min(most, Math.max(SMALLEST, SMALLEST * ratio))
  const width = between(before.width + (Math.abs(byWidth) >= Math.abs(byHeight) ? byWidth : byHeight), least, most)
  return { width, height: width / ratio }
}

/** The largest frame of this ratio, centered on the old one. */
export function fitRatio(frame: Frame, ratio: Ratio, whole: Size): Frame {
  const wanted = RATIOS[ratio]
  if (wanted === null) return frame
  const width = Math.min(whole.width, whole.height * wanted)
  const height = width / wanted
  const at = { left: frame.left + (frame.width - width) / 2, top: frame.top + (frame.height - height) / 2 }
  return moveFrame({ ...at, width, height }, { x: 0, y: 0 }, whole)
}

/** In the server's units. */
export function toCrop(frame: Frame, whole: Size): PictureCrop {
  const left = Math.round((frame.left / whole.width) * WHOLE)
  const top = Math.round((frame.top / whole.height) * WHOLE)
  return {
    left,
    top,
    width: Math.min(WHOLE - left, Math.round((frame.width / whole.width) * WHOLE)),
    height: Math.min(WHOLE - top, Math.round((frame.height / whole.height) * WHOLE)),
  }
}

export function toFrame({ left, top, width, height }: PictureCrop, whole: Size): Frame {
  return {
    left: (left * whole.width) / WHOLE,
    top: (top * whole.height) / WHOLE,
    width: (width * whole.width) / WHOLE,
    height: (height * whole.height) / WHOLE,
  }
}

/** A description for screen readers. */
export function describeFrame({ left, top, width, height }: Frame): string {
  const [across, down] = [Math.round(left), Math.round(top)]
  return `${Math.round(width)} by ${Math.round(height)} pixels, ${across} from the left and ${down} from the top`
}

function between(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(most, value))
}
