/** What the storage uses of Amazon's SDK, in a module of its own that loads on first use. */
export { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
