/** The path of an image's page. */
export function consolePicturePath({ bucket, folder, filename }: { bucket: string; folder: string; filename: string }) {
  return `/console/pictures/${[bucket, folder, filename].map(encodeURIComponent).join('/')}`
}
