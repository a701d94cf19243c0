/** Wall screens: windows this wide are read from a distance, so everything is larger (design.css). */
import { useMediaQuery } from '@mantine/hooks'

/** Scale factor, for sizes that are not in rem. */
export function useWallScale(): number {
  const isWall = useMediaQuery('(min-width: 200em)', undefined, { getInitialValueInEffect: false })
  return isWall ? 1.75 : 1
}
