// A program for a bundler, which takes no file along but modules: it plays a scene.
import { load } from 'graze-physics';
import { playBindingsScene } from './scene.mjs';

console.log(playBindingsScene(await load()).trimEnd());
