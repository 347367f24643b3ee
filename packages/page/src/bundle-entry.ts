// gzip looks back 32 kB and no further: in this order what is alike stands together, and words that nothing
// repeats stand first. It saves 0.7 kB.
import './watch/wording.ts';
import './perceive/markdown.ts';
import './locate/selector-path.ts';
import './watch/watch.ts';
import './perceive/perception.ts';
import './inject.ts';
