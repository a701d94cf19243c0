import Type from 'typebox'
import { Timestamp, nullable } from '../../infrastructure/http/shapes.js'

export const SigningSecretShape = Type.Object(
  {
    workspace_id: Type.String(),
    created_at: nullable(Timestamp),
  },
  { title: 'SigningSecret' },
)

export const NewSigningSecretShape = Type.Object(
  {
    workspace_id: Type.String(),
    created_at: Timestamp,
    secret: Type.String({ description: 'Signs callbacks; shown only here' }),
  },
  { title: 'NewSigningSecret' },
)
