// The moving picture of a late read: it plays once when it comes on screen, and its button stops it and plays it again. It stands still, at
// its end, where the reader has asked for less motion.

export function followRace(): void {
  const picture = document.querySelector<HTMLElement>('.race');
  const button = document.querySelector<HTMLButtonElement>('.race-play');
  if (!picture || !button || !button.hidden) return;
  const play = (isPlaying: boolean): void => {
    picture.classList.remove('is-playing');
    // the animations begin anew
    void picture.offsetWidth;
    picture.classList.toggle('is-playing', isPlaying);
    button.textContent = isPlaying ? 'Stop' : 'Play again';
  };
  button.hidden = false;
  play(false);
  button.addEventListener('click', () => play(!picture.classList.contains('is-playing')));
  picture.addEventListener('animationend', ({ animationName }) => {
    if (animationName === 'race-clock') play(false);
  });
  if (window.matchMedia('(prefers-reduced-motion: reduce)').matches) return;
  const seen = new IntersectionObserver(
    ([entry]) => {
      if (!entry?.isIntersecting) return;
      seen.disconnect();
      play(true);
    },
    { threshold: 0.6 },
  );
  seen.observe(picture);
}
