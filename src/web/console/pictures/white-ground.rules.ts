/** How light each color has to be, and how opaque, to count as white. */
const WHITE = 245

/** Whether a picture has an opaque white edge all around, so that it stands as a box on a colored ground. @param pixels RGBA */
export function hasWhiteGround(pixels: ArrayLike<number>, width: number, height: number): boolean {
  if (width < 2 || height < 2) return false
  const isWhite = (x: number, y: number) =>
    [0, 1, 2, 3].every((channel) => (pixels[(y * width + x) * 4 + channel] ?? 0) >= WHITE)
  for (let x = 0; x < width; x++) if (!isWhite(x, 0) || !isWhite(x, height - 1)) return false
  for (let y = 0; y < height; y++) if (!isWhite(0, y) || !isWhite(width - 1, y)) return false
  return true
}
