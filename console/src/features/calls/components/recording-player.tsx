import { Suspense, lazy } from 'react'
import { fetched } from '../../../api/fetched'
import { Loading } from '../../../design/page'
import type { PlayerProps } from './player'

/** The waveform library loads with the first recording that is shown. */
const Player = lazy(async () => fetched(async () => import('./player')))

export function RecordingPlayer(props: PlayerProps) {
  return (
    <Suspense fallback={<Loading rows={3} />}>
      <Player {...props} />
    </Suspense>
  )
}
