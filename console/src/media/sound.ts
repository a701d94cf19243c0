export function stopSound(sound: MediaStream): void {
  for (const track of sound.getTracks()) track.stop()
}
