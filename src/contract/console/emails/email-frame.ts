/** An empty page that the console fills with an email. */
export const EMAIL_FRAME_PATH = '/newsletter/preview/frame'
