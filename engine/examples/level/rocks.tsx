<?xml version="1.0" encoding="UTF-8"?>
<tileset version="1.10" name="rocks" tilewidth="16" tileheight="16" tilecount="4" columns="4">
 <image source="rocks.png" width="64" height="16"/>
 <tile id="0">
  <properties>
   <property name="solid" type="bool" value="true"/>
  </properties>
 </tile>
 <tile id="1" class="ramp">
  <objectgroup>
   <object id="1" x="0" y="16">
    <polygon points="0,0 16,-16 16,0"/>
   </object>
  </objectgroup>
 </tile>
</tileset>
